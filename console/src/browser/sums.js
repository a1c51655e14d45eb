// Adds up the money while it is typed. What counts is what the service adds up when it is saved.

const AMOUNT = /^(\d+|\d{1,3}(,\d{3})+)(\.\d{0,2})?$/
const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' })

const form = document.querySelector('form.money')
const status = form?.querySelector('[role="status"]')

form?.addEventListener('input', show)
// Not with each key, which would be read aloud.
form?.addEventListener('change', () => {
  const [comesIn, goesOut] = [sumOf('SOURCE'), sumOf('DESTINATION')]
  if (!status) return
  if (Number.isNaN(comesIn + goesOut)) status.textContent = 'An amount cannot be read.'
  else if (comesIn === goesOut) status.textContent = 'Both sides agree.'
  else status.textContent = `They differ by ${pounds(Math.abs(comesIn - goesOut))}.`
})

function show() {
  const [comesIn, goesOut] = [sumOf('SOURCE'), sumOf('DESTINATION')]
  for (const [name, pence] of Object.entries({
    SOURCE: comesIn,
    DESTINATION: goesOut,
    difference: comesIn - goesOut,
  })) {
    const place = form?.querySelector(`[data-sum="${name}"]`)
    if (place) place.textContent = pounds(pence)
  }
}

/** @param {number} pence */
function pounds(pence) {
  return Number.isNaN(pence) ? '–' : POUNDS.format(pence / 100)
}

/**
 * In whole pence; not a number where an amount cannot be read.
 * @param {string} side
 */
function sumOf(side) {
  let sum = 0
  for (const line of form?.querySelectorAll(`[data-side="${side}"]`) ?? []) {
    const [amount, remove] = [line.querySelector('[name$=".amount"]'), line.querySelector('[name$=".remove"]')]
    if (!(amount instanceof HTMLInputElement)) continue
    if (remove instanceof HTMLInputElement && remove.checked) continue
    sum += penceOf(amount.value)
  }
  return sum
}

/** @param {string} text */
function penceOf(text) {
  const plain = text.replaceAll(/[£\s]/g, '')
  if (plain === '') return 0
  return AMOUNT.test(plain) ? Math.round(Number(plain.replaceAll(',', '')) * 100) : Number.NaN
}
