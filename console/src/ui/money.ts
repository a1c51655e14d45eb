const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

/** "£206,000.00" */
export const pounds = (amount: number): string => POUNDS.format(amount)
