/** As in package.json; a test compares them. */
export const VERSION = '1.1.0'
