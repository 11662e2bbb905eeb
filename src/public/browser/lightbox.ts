// The photos of a page as large as the window: by keys, buttons, a swipe and a tap. Without a script, a photo opens by itself.

/** How far a finger moves before it means the next photo, in pixels. */
const SWIPE = 40

/** Opens the photos of a gallery in a dialog instead of a page of their own. */
export function openInLightbox(gallery: HTMLElement): void {
  const links = [...gallery.querySelectorAll<HTMLAnchorElement>('a[href]')]
  if (links.length === 0 || typeof HTMLDialogElement === 'undefined') return
  const { dialog, image, count, previous, next, close } = makeDialog(gallery.dataset)
  let at = 0

  const show = (wanted: number): void => {
    at = (wanted + links.length) % links.length
    const link = links[at]
    const shown = link?.querySelector('img')
    if (link === undefined || shown === null || shown === undefined) return
    image.srcset = shown.srcset
    image.sizes = '100vw'
    image.src = link.href
    image.alt = shown.alt
    count.textContent = `${at + 1} / ${links.length}`
    dialog.classList.remove('zoomed')
  }
  const open = (from: number): void => {
    show(from)
    document.body.append(dialog)
    dialog.showModal()
    image.focus()
  }

  for (const [from, link] of links.entries())
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      open(from)
    })
  previous.hidden = next.hidden = links.length === 1
  previous.addEventListener('click', () => show(at - 1))
  next.addEventListener('click', () => show(at + 1))
  close.addEventListener('click', () => dialog.close())
  image.addEventListener('click', () => dialog.classList.toggle('zoomed'))
  dialog.addEventListener('keydown', ({ key }) => {
    const isBack = document.dir === 'rtl' ? key === 'ArrowRight' : key === 'ArrowLeft'
    if (key === 'ArrowLeft' || key === 'ArrowRight') show(isBack ? at - 1 : at + 1)
  })
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => {
    dialog.remove()
    links[at]?.scrollIntoView({ block: 'nearest', inline: 'center' })
    links[at]?.focus()
  })
  swipe(dialog, (step) => show(at + step))
}

function makeDialog(texts: DOMStringMap) {
  const button = (name: string, sign: string): HTMLButtonElement => {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = sign
    made.setAttribute('aria-label', texts[name] ?? '')
    made.className = name
    return made
  }
  const dialog = document.createElement('dialog')
  dialog.className = 'lightbox'
  dialog.setAttribute('aria-label', texts['title'] ?? '')
  const image = document.createElement('img')
  image.tabIndex = -1
  const count = document.createElement('p')
  count.setAttribute('role', 'status')
  const [previous, next, close] = [button('previous', '‹'), button('next', '›'), button('close', '×')]
  dialog.append(close, previous, image, next, count)
  return { dialog, image, count, previous, next, close }
}

/** Not while the photo is zoomed or pinched: then a finger moves it. */
function swipe(dialog: HTMLDialogElement, go: (step: 1 | -1) => void): void {
  let from: number | null = null
  dialog.addEventListener('touchstart', ({ touches: [one, other] }) => {
    const isOne = one !== undefined && other === undefined && !dialog.classList.contains('zoomed')
    from = isOne ? one.clientX : null
  })
  dialog.addEventListener('touchend', ({ changedTouches: [one] }) => {
    const moved = from === null || one === undefined ? 0 : one.clientX - from
    const isForward = document.dir === 'rtl' ? moved > 0 : moved < 0
    if (Math.abs(moved) > SWIPE) go(isForward ? 1 : -1)
    from = null
  })
}
