// Ctrl K: goes anywhere by typing. It offers what this page links to, and matters by what the search finds.

const WAIT_MS = 150
const MATTERS_MAX = 8

/** @typedef {{ label: string, href: string }} Place */

const dialog = document.createElement('dialog')
dialog.id = 'palette'
const label = document.createElement('label')
label.htmlFor = 'palette-field'
label.textContent = 'Matter, page or action'
const field = document.createElement('input')
field.id = 'palette-field'
field.type = 'search'
field.autocomplete = 'off'
const list = document.createElement('ul')
dialog.setAttribute('aria-labelledby', 'palette-label')
label.id = 'palette-label'
dialog.append(label, field, list)
document.body.append(dialog)

let asked = 0

field.addEventListener('input', () => void offer())
dialog.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target === field) list.querySelector('a')?.click()
  else if (event.key === 'ArrowDown') move(1)
  else if (event.key === 'ArrowUp') move(-1)
  else return
  event.preventDefault()
})

export function open() {
  if (dialog.open) return
  field.value = ''
  void offer()
  dialog.showModal()
  field.focus()
}

async function offer() {
  asked += 1
  const [mine, text] = [asked, field.value.trim().toLowerCase()]
  const here = [
    ...placesIn('main .turn a.button, main .actions a'),
    ...placesIn('.top nav a, .who a, .foot a[href="/console/help"]'),
  ]
  const fitting = here.filter((one) => one.label.toLowerCase().includes(text))
  show(fitting)
  if (text.length < 2) return
  await new Promise((next) => setTimeout(next, WAIT_MS))
  if (mine !== asked) return
  const response = await fetch(`/console/matters?q=${encodeURIComponent(text)}`)
  const found = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (mine === asked) show([...placesIn('.rows tr td:first-child a', found).slice(0, MATTERS_MAX), ...fitting])
}

/**
 * @param {string} selector
 * @param {Document} page
 * @returns {Place[]}
 */
function placesIn(selector, page = document) {
  const links = [...page.querySelectorAll(selector)]
  return links.map((link) => {
    const row = link.closest('tr')
    const borrowers = row?.cells[1]?.textContent?.trim() ?? ''
    return {
      label: `${link.textContent?.trim()}${borrowers && ` · ${borrowers}`}`,
      href: link.getAttribute('href') ?? '',
    }
  })
}

/** @param {readonly Place[]} places */
function show(places) {
  list.replaceChildren(
    ...places.map(({ label, href }) => {
      const [item, link] = [document.createElement('li'), document.createElement('a')]
      link.href = href
      link.textContent = label
      item.append(link)
      return item
    }),
  )
}

/** @param {number} by */
function move(by) {
  const stops = [field, ...list.querySelectorAll('a')]
  const at = stops.findIndex((one) => one.matches(':focus'))
  stops[Math.min(Math.max(at + by, 0), stops.length - 1)]?.focus()
}
