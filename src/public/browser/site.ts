import { afterSending } from './after-sending.ts'
import { openInLightbox } from './lightbox.ts'
import { type Prover, proveWhileTyping } from './proof.ts'

// What a page does better with a script. Everything works without it. Of what is typed it sends nothing but a form whose
// button was pressed.

const TRY_AGAIN_MS = 5_000
const LONGEST_MS = 20_000
const LONGEST_PAUSE_MS = 60_000
/** Of a slow connection, for forms with files. */
const BYTES_PER_MS = 20
/** What a short URL adds to the address of the page that it leads to. */
const CLICK = /^#fc-click=([\w.-]+)$/
/** What people do with a page and programs that only load it don't. */
const USES = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-form]')) keepFromGettingLost(form)
loadFormRules()
for (const gallery of document.querySelectorAll<HTMLElement>('.gallery')) openInLightbox(gallery)
focusProblems()
if (window.parent !== window) tellHeight()
confirmVisit()

/**
 * Sends a form without leaving the page, so that a bad connection loses nothing: the page waits for the connection and sends
 * again. Sending twice is safe, because the server knows the page's token.
 */
function keepFromGettingLost(form: HTMLFormElement): void {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[data-most-bytes]'))
    refuseLargeFiles(input)
  const state = document.createElement('p')
  state.setAttribute('role', 'status')
  state.className = 'notice'
  let isSending = false
  const prover = proveWhileTyping(form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending) return
    isSending = true
    const button = event.submitter
    button?.setAttribute('aria-disabled', 'true')
    const say: Say = (text, language) => {
      state.textContent = text
      if (language === undefined) state.removeAttribute('lang')
      else state.lang = language
      if (!state.isConnected) form.append(state)
    }
    say(form.dataset['sending'] ?? '')
    void sendUntilItArrives(form, { say, prover, pressed: event.submitter }).finally(() => {
      isSending = false
      button?.removeAttribute('aria-disabled')
    })
  })
}

/** Says something below the form; in the language of the form if none is given. */
type Say = (text: string, language?: string) => void

async function sendUntilItArrives(
  form: HTMLFormElement,
  of: { say: Say; prover: Prover; pressed: HTMLElement | null },
): Promise<void> {
  const body = bodyOf(form, of.pressed)
  for (;;) {
    const isReady = await of.prover.addTo(body)
    const answer = isReady ? await send(form.action, body) : null
    if (answer !== null) {
      const { page, status, isRedirected, url } = answer
      const hasForm = page.querySelector('form[data-form]') !== null
      const next = afterSending({ status, isRedirected, hasForm })
      // What is sent after a correction, or from this page after Back, has other content.
      if (next === 'follow' || next === 'show') of.prover.spend()
      if (next === 'follow') return location.assign(url)
      if (next === 'show') return show(page)
      if (next === 'sayWhy') {
        const reason = reasonOf(page)
        return reason === null
          ? of.say(form.dataset['failed'] ?? '')
          : of.say(reason, page.documentElement.lang)
      }
    }
    of.say(form.dataset[answer === null ? 'offline' : 'waiting'] ?? '')
    await connection(answer?.retryAfterMs ?? TRY_AGAIN_MS)
  }
}

/** The same body as without a script. */
function bodyOf(form: HTMLFormElement, pressed: HTMLElement | null): URLSearchParams | FormData {
  const data = new FormData(form, pressed)
  if (form.enctype === 'multipart/form-data') return data
  const body = new URLSearchParams()
  for (const [name, value] of data) if (typeof value === 'string') body.append(name, value)
  return body
}

/** Says at once what the server would say, and keeps the visitor from waiting for a file that isn't accepted. */
function refuseLargeFiles(input: HTMLInputElement): void {
  const message = document.createElement('p')
  message.className = 'error'
  message.setAttribute('role', 'alert')
  input.addEventListener('change', () => {
    const most = Number(input.dataset['mostBytes'])
    const isTooLarge = [...(input.files ?? [])].some(({ size }) => size > most)
    message.textContent = isTooLarge ? (input.dataset['tooLarge'] ?? '') : ''
    if (isTooLarge) input.value = ''
    if (!message.isConnected) input.after(message)
  })
}

type SentAnswer = Readonly<{
  status: number
  isRedirected: boolean
  url: string
  page: Document
  /** When the server wants to be asked again. */
  retryAfterMs: number
}>

/** Null without a connection, also if it was lost before all of the answer arrived. */
async function send(address: string, body: URLSearchParams | FormData): Promise<SentAnswer | null> {
  const files = [...body].reduce((sum, [, value]) => sum + (value instanceof File ? value.size : 0), 0)
  const signal = AbortSignal.timeout(LONGEST_MS + files / BYTES_PER_MS)
  try {
    const response = await fetch(address, { method: 'POST', body, signal })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const { status, redirected: isRedirected, url, headers } = response
    const seconds = Number(headers.get('retry-after'))
    const retryAfterMs = seconds > 0 ? Math.min(seconds * 1_000, LONGEST_PAUSE_MS) : TRY_AGAIN_MS
    return { status, isRedirected, url, page, retryAfterMs }
  } catch {
    return null
  }
}

/** Waits until the browser reports a connection, or for this time: it may not notice. */
async function connection(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    addEventListener(
      'online',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

/** The heading and the first paragraph of an error page; null if something else answered. */
function reasonOf(page: Document): string | null {
  const parts = [...page.querySelectorAll('main h1, main h1 + p')].map(({ textContent }) =>
    textContent.trim(),
  )
  return parts.length === 0 ? null : parts.join('. ')
}

/** Shows the answer as if the browser had sent the form. */
function show(page: Document): void {
  document.title = page.title
  document.documentElement.lang = page.documentElement.lang
  document.querySelector('main')?.replaceWith(page.querySelector('main') ?? page.body)
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-form]')) keepFromGettingLost(form)
  loadFormRules()
  window.scrollTo(0, 0)
  const next =
    document.querySelector<HTMLElement>('main [autofocus]') ?? document.querySelector<HTMLElement>('main')
  if (!focusProblems()) next?.focus()
}

/** Tells the site that shows this page in a frame how high it is, and nothing else. */
function tellHeight(): void {
  new ResizeObserver(() => {
    window.parent.postMessage({ forecourtHeight: document.documentElement.scrollHeight }, '*')
  }).observe(document.body)
}

/** Forms whose answers show and hide questions need more code than others: only their pages load it. */
function loadFormRules(): void {
  const script = document.querySelector<HTMLElement>('[data-rules]')?.dataset['rules']
  if (script === undefined) return
  // Without it, the server asks what is left to ask.
  void import(/* @vite-ignore */ script).then(
    () => document.dispatchEvent(new Event('fc-form')),
    () => {},
  )
}

/** Moves the focus to what is wrong, or to what the answers led to. */
function focusProblems(): boolean {
  const problems = document.querySelector<HTMLElement>('#problems, #added')
  problems?.focus()
  return problems !== null
}

/** Tells once that a person uses a promo page, or the page that a short URL led to: nothing else about them. */
function confirmVisit(): void {
  const [, click = ''] = CLICK.exec(location.hash) ?? []
  const visit = document.querySelector<HTMLElement>('[data-visit]')?.dataset['visit'] ?? ''
  if (click !== '') history.replaceState(history.state, '', location.pathname + location.search)
  if (click === '' && visit === '') return
  const used = new AbortController()
  const tell = ({ isTrusted }: Event): void => {
    if (!isTrusted || used.signal.aborted) return
    used.abort()
    navigator.sendBeacon('/s/seen', new URLSearchParams({ click, visit }))
  }
  for (const use of USES) addEventListener(use, tell, { passive: true, signal: used.signal })
}
