import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { conflict } from '#server/http/failure.ts'
import type { MakePdf, PrintedDocument } from '#server/printed-document.ts'
import { makeThreadShare } from '#server/threads/fair-share.ts'
import type { PdfTask } from './typeset.ts'

/** Longer reports are only available as workbooks. */
const MAX_ROWS = 2_000
/** Of all cells: about 700 full pages. */
const MAX_LETTERS = 2_000_000
const TOO_LARGE = 'This is too large for a PDF: it takes too much time or memory.'

const TIMEOUT_MS = 60_000
/** The longest documents above need about half of it. */
const MAX_MEMORY_MB = 1_024
const MEMORY_CHECK_MS = 250
/** The most queued documents per customer: participants of an assessment download theirs at the same hour. */
const MOST_WAITING = 50

/**
 * Makes PDFs, one at a time, each in its own process with limited memory and time. Customers take turns.
 * @param fontsFolder of the operator: fonts for letters that the fonts of the product don't have
 * @returns a function that throws Failure 409 if a document is too large, 429 if too many of the customer's are waiting
 */
export function makePdfs(fontsFolder: string | null): MakePdf {
  const share = makeThreadShare({
    mostRunning: 1,
    mostWaiting: MOST_WAITING,
    busy: 'Too many PDFs of your company are being created. Wait a moment and try again.',
  })
  return async (given, customerId) => {
    const documents = 'title' in given ? [given] : given
    requirePrintable(documents)
    return share(customerId, () => runProcess({ documents, fontsFolder }))
  }
}

function requirePrintable(documents: readonly PrintedDocument[]): void {
  const rows = documents.flatMap(({ groups }) => groups.flatMap((group) => group.rows))
  if (rows.length > MAX_ROWS) {
    throw conflict(`A PDF can have at most ${MAX_ROWS.toLocaleString('en-US')} rows. Use Excel instead.`)
  }
  const letters = rows.reduce((sum, row) => row.reduce((all, text) => all + text.length, sum), 0)
  if (letters > MAX_LETTERS) throw conflict(TOO_LARGE)
}

async function runProcess(task: PdfTask): Promise<Buffer> {
  const child = fork(new URL('./pdf-worker.ts', import.meta.url), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {},
    execArgv: [],
  })
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  let problem = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (problem = (problem + text).slice(0, 4_000)))
  child.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)))
  child.once('error', reject)
  // On a busy machine a process exits before its last message is read; it is closed afterwards.
  child.once('close', (code, signal) =>
    reject(new Error(`The PDF was not made (${signal ?? `exit code ${code}`}). ${problem}`)),
  )
  const refuse = (): void => reject(conflict(TOO_LARGE))
  const timer = setTimeout(refuse, TIMEOUT_MS)
  const watch = watchMemory(child, refuse)
  try {
    child.send(task)
    return await promise
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
    child.kill('SIGKILL')
  }
}

/** Only Linux tells it of another process. Elsewhere, rows and letters limit the memory. */
function watchMemory({ pid }: ChildProcess, onLimit: () => void): NodeJS.Timeout | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  return setInterval(() => {
    void readMemory(pid).then((megabytes) => {
      if (megabytes > MAX_MEMORY_MB) onLimit()
    })
  }, MEMORY_CHECK_MS)
}

async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? []
  return Number(kilobytes) / 1024
}
