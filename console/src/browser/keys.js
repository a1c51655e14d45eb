// Keys for those who work here all day. They can be switched off on the help page, and never act in a field.

const OFF = 'lodgeway-keys-off'
const SECOND_KEY_MS = 1_500
/** @type {Record<string, string>} */
const PLACES = { w: '/console/', m: '/console/matters', r: '/console/requests', d: '/console/deliveries' }

let goUntil = 0

const box = document.querySelector('#keys-on')
if (box instanceof HTMLInputElement) {
  box.disabled = false
  box.checked = isOn()
  box.defaultChecked = box.checked
  box.addEventListener('change', () => {
    if (box.checked) localStorage.removeItem(OFF)
    else localStorage.setItem(OFF, '1')
    box.defaultChecked = box.checked
  })
}

// The search field that "/" led to.
if (location.hash === '#q') focus(document.querySelector('#q'))

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !isOn() || isField(event.target)) return
  if (!act(event.key)) return
  event.preventDefault()
})

/**
 * @param {string} key
 * @returns {boolean} whether the key means something
 */
function act(key) {
  const place = performance.now() < goUntil ? PLACES[key] : undefined
  goUntil = key === 'g' ? performance.now() + SECOND_KEY_MS : 0
  if (place) location.assign(place)
  else if (key === '?') location.assign('/console/help')
  else if (key === '/') search()
  else if (key === 'j') move(1)
  else if (key === 'k') move(-1)
  else return false
  return true
}

function search() {
  const field = document.querySelector('#q')
  if (field) focus(field)
  else location.assign('/console/matters#q')
}

/** @param {number} by */
function move(by) {
  /** @type {(Element | null)[]} */
  const links = [...document.querySelectorAll('.rows tr td:first-child a')]
  const at = links.indexOf(document.activeElement)
  const next = at === -1 && by < 0 ? links.length - 1 : Math.min(Math.max(at + by, 0), links.length - 1)
  focus(links[next])
}

/** @param {Element | null | undefined} element */
function focus(element) {
  if (element instanceof HTMLElement) element.focus()
}

/** @param {EventTarget | null} target */
function isField(target) {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

function isOn() {
  return localStorage.getItem(OFF) === null
}
