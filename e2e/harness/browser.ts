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
export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No host name resolves outside of this machine: such requests fail and are also recorded. Names under .localhost
  // are this machine's: customer domains in the tests.
  '--host-resolver-rules=MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** The Chromium that `npm test` found and set in CHROMIUM; otherwise an installed one. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: pathOfBrowser(), args: FLAGS })
}

export function pathOfBrowser(): string {
  const path = process.env.CHROMIUM ?? INSTALLED.find((one) => existsSync(one))
  if (path === undefined) throw new Error('Set CHROMIUM to the path of a Chromium.')
  return path
}

/**
 * Records what must never happen on any page: external requests, console errors, exceptions. Returns a function
 * that stops it.
 */
export function recordProblems(
  context: BrowserContext,
  { address, alsoAt = [] }: { address: string; alsoAt?: readonly string[] },
  problems: string[],
): () => void {
  const onRequest = (request: Request) => {
    const url = request.url()
    const isKnown = [address, ...alsoAt].some((one) => url.startsWith(`${one}/`))
    if (!/^(data|blob|about):/.test(url) && !isKnown) problems.push(`requested ${url}`)
  }
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !isRefusedCall(message, address) && !isOurScript(message))
      problems.push(`console: ${message.text()} (${message.location().url})`)
  }
  const onError = (error: WebError) => problems.push(`thrown: ${String(error.error())}`)
  context.on('request', onRequest).on('console', onConsole).on('weberror', onError)
  return () => void context.off('request', onRequest).off('console', onConsole).off('weberror', onError)
}

/** A sandboxed preview runs no scripts, including the harness script that sets the clock. The browser logs that. */
const isOurScript = (message: ConsoleMessage): boolean =>
  message.text().startsWith("Blocked script execution in 'about:srcdoc'")

/**
 * The browser logs every rejected or aborted call and form, which many journeys test on purpose, and whatever it asks for without
 * a connection. It also requests an icon while a parked profile waits for its test; pages of the product have their own.
 */
function isRefusedCall(message: ConsoleMessage, address: string): boolean {
  const { url } = message.location()
  return (
    message.text().startsWith('Failed to load resource') &&
    (message.text().includes('ERR_INTERNET_DISCONNECTED') ||
      url.startsWith(`${address}/api/`) ||
      url.startsWith(`${address}/f/`) ||
      url === `${address}/favicon.ico`)
  )
}
