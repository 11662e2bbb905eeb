import { Worker } from 'node:worker_threads'
import { conflict } from '#server/http/failure.ts'
import { makeThreadShare } from '#server/threads/fair-share.ts'
import type { ReportContent } from './report.ts'

const TIMEOUT_MS = 60_000
/** The most queued documents per customer: participants of an assessment download theirs at the same hour. */
const MOST_WAITING = 50

type Kind = Readonly<{
  /** The program that makes a file of its `workerData`, and posts its bytes. */
  worker: URL
  heapMb: number
  /** What users are told if too many are waiting, and if one takes too much. */
  busy: string
  tooLarge: string
}>

/**
 * Makes files of reports in threads with limited memory and time. Each fully uses a processor, so a customer has one at a time
 * and doesn't delay the others.
 * @returns a function that throws Failure 409 if a report is too large, 429 if too many of the customer's are waiting
 */
export function makeReportThread({
  worker,
  heapMb,
  busy,
  tooLarge,
}: Kind): (customerId: string, content: ReportContent) => Promise<Buffer> {
  const threads = makeThreadShare({ mostWaiting: MOST_WAITING, busy })
  const make = (content: ReportContent): Promise<Buffer> => {
    const thread = new Worker(worker, {
      workerData: content,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    return new Promise<Buffer>((done, fail) => {
      const settle = (): void => {
        clearTimeout(timer)
        void thread.terminate()
      }
      const timer = setTimeout(() => {
        settle()
        fail(conflict(tooLarge))
      }, TIMEOUT_MS)
      thread.once('message', (bytes: Uint8Array) => {
        settle()
        done(Buffer.from(bytes))
      })
      thread.once('error', (error) => {
        settle()
        const isTooLarge = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        fail(isTooLarge ? conflict(tooLarge) : error)
      })
      thread.once('exit', () => {
        settle()
        fail(new Error('The document was not made.'))
      })
    })
  }
  return (customerId, content) => threads(customerId, () => make(content))
}
