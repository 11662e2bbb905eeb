import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type ConsoleMessage } from 'playwright-core'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
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

/** Writes down what must never happen on any page: requests elsewhere, console errors, exceptions. */
export function recordProblems(
  context: BrowserContext,
  { address, alsoAt = [] }: { address: string; alsoAt?: readonly string[] },
  problems: string[],
): void {
  context.on('request', (request) => {
    const url = request.url()
    const isKnown = [address, ...alsoAt].some((one) => url.startsWith(`${one}/`))
    if (!/^(data|blob|about):/.test(url) && !isKnown) problems.push(`asked for ${url}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error' && !isRefusedCall(message, address))
      problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => problems.push(`thrown: ${String(error.error())}`))
}

/** The browser logs every call that is refused or cut off; those are what many journeys are about. */
function isRefusedCall(message: ConsoleMessage, address: string): boolean {
  return (
    message.text().startsWith('Failed to load resource') &&
    message.location().url.startsWith(`${address}/api/`)
  )
}
