// Finds in the contents, marks where the reader is, and copies examples. The page is whole without it.

const COPIED_MS = 1_500

const contents = document.querySelector('#contents')
const field = document.querySelector('#find')
const none = document.querySelector('#none')
const links = /** @type {HTMLAnchorElement[]} */ ([...(contents?.querySelectorAll('a[href^="#"]') ?? [])])

if (field instanceof HTMLInputElement) {
  field.parentElement?.removeAttribute('hidden')
  field.addEventListener('input', () => find(field.value))
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter' && field.value) links.find((link) => link.closest('li:not([hidden])'))?.click()
  })
  find(field.value)
}

/** @param {string} text */
function find(text) {
  const words = text.toLowerCase().split(/\s+/)
  let count = 0
  for (const link of links) {
    const line = link.closest('li')
    if (!line) continue
    const known = `${link.textContent} ${line.dataset['find'] ?? ''}`.toLowerCase()
    line.hidden = !words.every((word) => known.includes(word))
    if (!line.hidden) count++
  }
  for (const heading of contents?.querySelectorAll('h2') ?? [])
    heading.hidden = !heading.nextElementSibling?.querySelector('li:not([hidden])')
  if (none) none.textContent = count === 0 ? `Nothing here is called “${text}”.` : ''
}

// The contents mark the last of those that have come to the top.
const places = new Map(links.map((link) => [link.hash.slice(1), link]))
const watcher = new IntersectionObserver(
  (seen) => {
    const last = seen.findLast(({ isIntersecting }) => isIntersecting)
    const link = last && places.get(last.target.id)
    if (!link) return
    for (const other of links) other.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'true')
    if (contents?.matches(':hover, :focus-within') === false) link.scrollIntoView({ block: 'nearest' })
  },
  { rootMargin: '0px 0px -85% 0px' },
)
for (const id of places.keys()) {
  const place = document.getElementById(id)
  if (place) watcher.observe(place)
}

for (const block of navigator.clipboard ? document.querySelectorAll('pre.sample') : []) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, COPIED_MS)
  })
  block.append(button)
}
