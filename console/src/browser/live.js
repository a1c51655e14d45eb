// Reads the page again when the service says that it has changed, and changes what differs. Focus, scroll, open parts
// and unsaved input stay as they are.

const SAY_MS = 60_000
const REOPEN_MS = 5_000
const PAUSE_MS = 500
const MINUTE_MS = 60_000

const main = document.querySelector('main')
const status = document.querySelector('#live')
const address = main?.dataset['live']
const library = main?.dataset['idiomorph']

/** @type {EventSource | undefined} */
let stream
let isReading = false
let isStale = false
let isLost = false
let saidAt = Number.NEGATIVE_INFINITY

if (main && address && library) {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close()
    else start()
  })
  addEventListener('pagehide', close)
  addEventListener('pageshow', ({ persisted }) => persisted && start())
  if (!document.hidden) open()
  setInterval(() => document.hidden || !document.querySelector('[data-each-minute]') || void refresh(), MINUTE_MS)
}

// A hidden page has no stream: a browser has only six connections to a server, and forms need one, too.
function start() {
  open()
  void refresh()
}

function close() {
  stream?.close()
  stream = undefined
}

function open() {
  close()
  stream = new EventSource(address ?? '')
  stream.addEventListener('open', () => {
    say('Live: this page shows changes as they happen.')
    if (isLost) void refresh() // for what it has missed
    isLost = false
  })
  stream.addEventListener('changed', () => void refresh())
  stream.addEventListener('error', () => {
    isLost = true
    if (!status?.textContent?.startsWith('Not live')) say(`Not live since ${time()}, trying again.`)
    // The browser itself tries again, unless it was answered with something else, such as the page for signing in.
    if (stream?.readyState === EventSource.CLOSED) setTimeout(() => document.hidden || start(), REOPEN_MS)
  })
}

async function refresh() {
  isStale = true
  if (isReading) return
  isReading = true
  try {
    while (isStale) {
      isStale = false
      await readAgain()
      await new Promise((next) => setTimeout(next, PAUSE_MS)) // one change is several events
    }
  } catch {
    say(`Not live since ${time()}, trying again.`)
  } finally {
    isReading = false
  }
}

async function readAgain() {
  if (hasUnsavedInput()) return offer()
  const response = await fetch(location.href, { headers: { 'x-refresh': '1' } })
  if (response.redirected) return location.reload()
  if (!response.ok) return
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const { Idiomorph } = /** @type {typeof import('idiomorph')} */ (await import(library ?? ''))
  if (hasUnsavedInput()) return offer()
  const before = rows()
  for (const part of ['main', '#calls', '#clock']) {
    const [old, next] = [document.querySelector(part), fresh.querySelector(part)]
    if (old && next)
      Idiomorph.morph(old, next, { ignoreActiveValue: true, callbacks: { beforeAttributeUpdated, beforeNodeRemoved } })
  }
  document.title = fresh.title
  const changed = rows().filter(([row, text]) => before.every(([old, was]) => old.id !== row.id || was !== text))
  for (const [row] of changed) flash(row)
  if (changed.length > 0) announce()
}

/**
 * What a person has opened stays open.
 * @param {string} name
 * @param {Element} element
 */
function beforeAttributeUpdated(name, element) {
  return !(name === 'open' && element instanceof HTMLDetailsElement)
}

/**
 * The neighbours in a list are not part of the page that the service sends.
 * @param {Node} node
 */
function beforeNodeRemoved(node) {
  return !(node instanceof Element && node.id === 'near')
}

/** @returns {[Element, string | null][]} */
function rows() {
  return [...document.querySelectorAll('main :is(tr, li)[id]')].map((row) => [row, row.textContent])
}

/** @param {Element} row */
function flash(row) {
  row.classList.add('changed')
  setTimeout(() => row.classList.remove('changed'), 2_500)
}

function hasUnsavedInput() {
  return [...document.querySelectorAll('main form')].some((form) =>
    [...form.querySelectorAll('input, textarea, select')].some((field) => {
      if (field instanceof HTMLSelectElement) {
        const first = [...field.options].findIndex((one) => one.defaultSelected)
        return field.selectedIndex !== Math.max(0, first) // without a default the browser chooses the first
      }
      if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
      if (!(field instanceof HTMLInputElement)) return false
      return field.value !== field.defaultValue || field.checked !== field.defaultChecked
    }),
  )
}

function offer() {
  if (!main || document.querySelector('#stale')) return
  const notice = document.createElement('p')
  notice.id = 'stale'
  notice.className = 'notice'
  notice.setAttribute('role', 'status')
  const show = document.createElement('a')
  show.href = location.href
  show.textContent = 'Show it'
  notice.append('This has changed since you opened it. What you typed is still here. ', show)
  main.prepend(notice)
}

function announce() {
  if (performance.now() - saidAt < SAY_MS) return
  saidAt = performance.now()
  say(`Live: this page changed at ${time()}.`)
}

/** @param {string} text */
function say(text) {
  if (status && status.textContent !== text) status.textContent = text
}

function time() {
  return new Date().toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
