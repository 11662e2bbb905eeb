import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type ConsoleMessage,
  type Request,
  type WebError,
} from 'playwright-core'

const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing outside this machine has an address: whatever asks for one fails, and is recorded besides.
  // Names under .localhost are this machine's: domains of customers in the tests.
  '--host-resolver-rules=MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** The Chromium that `npm test` found and names in CHROMIUM; run alone, an installed one. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('Name a Chromium in CHROMIUM.')
  return chromium.launch({ executablePath, args: FLAGS })
}

/**
 * Writes down what must never happen on any page: requests elsewhere, console errors, exceptions. Answers how to stop.
 */
export function recordProblems(
  context: BrowserContext,
  { address, alsoAt = [] }: { address: string; alsoAt?: readonly string[] },
  problems: string[],
): () => void {
  const onRequest = (request: Request) => {
    const url = request.url()
    const isKnown = [address, ...alsoAt].some((one) => url.startsWith(`${one}/`))
    if (!/^(data|blob|about):/.test(url) && !isKnown) problems.push(`asked for ${url}`)
  }
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !isRefusedCall(message, address) && !isOurScript(message))
      problems.push(`console: ${message.text()} (${message.location().url})`)
  }
  const onError = (error: WebError) => problems.push(`thrown: ${String(error.error())}`)
  context.on('request', onRequest).on('console', onConsole).on('weberror', onError)
  return () => void context.off('request', onRequest).off('console', onConsole).off('weberror', onError)
}

/** A sandboxed preview runs no script, the one of the harness that sets the clock included. The browser notes that. */
const isOurScript = (message: ConsoleMessage): boolean =>
  message.text().startsWith("Blocked script execution in 'about:srcdoc'")

/**
 * The browser logs every call that is refused or cut off; those are what many journeys are about. And it asks for an icon
 * where a profile waits for its test: pages of the product name theirs.
 */
function isRefusedCall(message: ConsoleMessage, address: string): boolean {
  const { url } = message.location()
  return (
    message.text().startsWith('Failed to load resource') &&
    (url.startsWith(`${address}/api/`) || url === `${address}/favicon.ico`)
  )
}
