// Keys for those who work here all day. They can be switched off on the help page, and never act in a field.

const OFF = 'lodgeway-keys-off'
const LIST = 'lodgeway-list'
const SECOND_KEY_MS = 1_500
/** @type {Record<string, string>} */
const PLACES = {
  w: '/console/',
  c: '/console/completions',
  m: '/console/matters',
  r: '/console/requests',
  d: '/console/deliveries',
}

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

// A matter knows its neighbours in the list that led to it.
addEventListener('pagehide', () => {
  const list = rows().map((link) => [link.pathname, link.textContent])
  if (list.length > 0) sessionStorage.setItem(LIST, JSON.stringify(list))
})
showNeighbours()

document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k' && isOn()) {
    event.preventDefault()
    void openPalette()
  }
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
  else if (key === '[') near(0)
  else if (key === ']') near(1)
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

async function openPalette() {
  const { open } = await import(document.body.dataset['palette'] ?? '')
  open()
}

/** @returns {HTMLAnchorElement[]} */
function rows() {
  const found = document.querySelectorAll('.rows tr td:first-child a, .board li > a')
  return [...found].filter((one) => one instanceof HTMLAnchorElement)
}

/** @returns {([path: string, label: string] | undefined)[]} the one before and the one after */
function neighbours() {
  /** @type {[string, string][]} */
  const list = JSON.parse(sessionStorage.getItem(LIST) ?? '[]')
  const at = list.findIndex(([path]) => path === location.pathname)
  return at < 0 ? [] : [list[at - 1], list[at + 1]]
}

function showNeighbours() {
  const line = document.createElement('p')
  line.id = 'near'
  for (const [index, one] of neighbours().entries()) {
    if (!one) continue
    const link = document.createElement('a')
    link.href = one[0]
    link.rel = index === 0 ? 'prev' : 'next'
    link.textContent = index === 0 ? `‹ ${one[1]}` : `${one[1]} ›`
    line.append(link)
  }
  if (line.childElementCount > 0) document.querySelector('main')?.prepend(line)
}

/** @param {number} index */
function near(index) {
  const one = neighbours()[index]
  if (one) location.assign(one[0])
}

/** @param {number} by */
function move(by) {
  /** @type {(Element | null)[]} */
  const links = rows()
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
