// The text of a call is there to select. With a clipboard, its heading copies it instead.

const COPIED_MS = 1_500

document.addEventListener('click', async (event) => {
  const summary = event.target instanceof Element ? event.target.closest('.copy > summary') : null
  const text = summary?.parentElement?.querySelector('code')?.textContent
  if (!summary || !text || !navigator.clipboard) return
  event.preventDefault()
  try {
    await navigator.clipboard.writeText(text)
    const label = summary.textContent
    summary.textContent = 'Copied'
    setTimeout(() => {
      summary.textContent = label
    }, COPIED_MS)
  } catch {
    summary.parentElement?.setAttribute('open', '')
  }
})
