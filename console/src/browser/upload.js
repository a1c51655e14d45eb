// Sends a form with a file and shows how far it is. A file can also be dropped on the form. Without this script the browser
// sends the form itself.

const form = document.querySelector('form.upload')
const input = form?.querySelector('input[type="file"]')

if (form instanceof HTMLFormElement && input instanceof HTMLInputElement) {
  const hint = document.createElement('p')
  hint.className = 'hint'
  hint.textContent = 'You can also drop it here.'
  input.after(hint)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form)
  })
  for (const type of ['dragover', 'dragleave', 'drop']) {
    form.addEventListener(type, (event) => {
      event.preventDefault()
      form.classList.toggle('over', type === 'dragover')
    })
  }
  form.addEventListener('drop', ({ dataTransfer }) => {
    if (dataTransfer?.files.length) input.files = dataTransfer.files
  })
}

/** @param {HTMLFormElement} form */
function send(form) {
  const button = form.querySelector('button')
  const progress = form.querySelector('progress') ?? document.createElement('progress')
  const said = form.querySelector('[role="status"]') ?? document.createElement('p')
  said.setAttribute('role', 'status')
  said.textContent = 'Uploading'
  progress.setAttribute('aria-label', 'Upload')
  form.append(progress, said)
  button?.setAttribute('disabled', '')
  const request = new XMLHttpRequest()
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    progress.max = total
    progress.value = loaded
    if (loaded === total) said.textContent = 'Being checked'
  })
  request.addEventListener('load', () => {
    if (request.status < 400) return location.assign(request.responseURL)
    const page = new DOMParser().parseFromString(request.responseText, 'text/html')
    failed(...((page.querySelector('.errors') ?? page.querySelector('main'))?.childNodes ?? []))
  })
  request.addEventListener('error', () => failed('The connection was lost. Nothing was kept. Please try again.'))
  request.open('POST', form.action)
  request.send(new FormData(form))

  /** @param {(Node | string)[]} content */
  function failed(...content) {
    progress.remove()
    said.remove()
    button?.removeAttribute('disabled')
    const notice = document.querySelector('.errors') ?? document.createElement('div')
    notice.className = 'errors'
    notice.setAttribute('role', 'alert')
    notice.setAttribute('tabindex', '-1')
    notice.replaceChildren(...content)
    document.querySelector('h1')?.before(notice)
    if (notice instanceof HTMLElement) notice.focus()
  }
}
