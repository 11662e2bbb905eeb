import { isContention, isDatabaseFull, isTooSlow } from '#server/database/faults.ts'
import { isAway } from '#server/database/database-watch.ts'
import { isDiskFull } from '#server/error-code.ts'
import { Failure, statusOf as statusOfServer } from '#server/http/failure.ts'
import { html } from '#public/html.ts'
import { messagePage, type Page } from '#public/layout.ts'
import { pageTexts, waitInWords } from '#public/page-texts.ts'

/** When a browser may try again after an outage, in seconds. */
const SOON_SECONDS = 5

/** What a visitor is told about an error: 500 unless it is the visitor's or the database's. */
export type Problem = Readonly<{ status: number; retryAfterSeconds: number | undefined }>

export function problemOf(error: unknown): Problem {
  if (isDiskFull(error) || isDatabaseFull(error)) return { status: 507, retryAfterSeconds: SOON_SECONDS * 12 }
  if (isTemporary(error)) return { status: 503, retryAfterSeconds: SOON_SECONDS }
  if (error instanceof Failure) return error
  const status = statusOfServer(error)
  return { status: status >= 400 && status < 500 ? status : 500, retryAfterSeconds: undefined }
}

/** Whether the same request may succeed later: the database is away, too slow, or others change the same rows. */
export const isTemporary = (error: unknown): boolean =>
  isAway(error) ||
  isTooSlow(error) ||
  isContention(error) ||
  (error instanceof Failure && error.status === 503)

/** For addresses without a page. */
export const notFoundPage = (): Page =>
  messagePage({
    title: 'Page not found',
    text: "This page doesn't exist. The link may be old or incomplete.",
  })

/**
 * The page for an error. The first sentence says what to do; a page with a script shows only that, below the form. `requestId`:
 * what a visitor can mention on the phone.
 */
export function errorPage(
  { status, retryAfterSeconds = SOON_SECONDS }: Problem,
  { requestId, language }: { requestId: string; language: string },
): Page {
  const page = pageTexts(language)
  const known = {
    408: ['late', 'lateText'],
    429: ['busy', 'busyText'],
    503: ['away', 'awayText'],
    507: ['full', 'fullText'],
  } as const
  if (status === 408 || status === 429 || status === 503 || status === 507) {
    const [title, text] = known[status]
    return messagePage({
      title: page(title),
      text: page(text, waitInWords(language, retryAfterSeconds)),
      language,
      link: null,
    })
  }
  const [title, text] = explain(status, requestId)
  return messagePage({
    title,
    text,
    more: html`<p>Your browser's Back button leads to the page before. What you typed is still there.</p>`,
  })
}

function explain(status: number, requestId: string): [title: string, text: string] {
  if (status === 413) return ["That's too much at once", 'Send less text.']
  if (status >= 400 && status < 500) return ["This request can't be read", 'Try again.']
  return [
    'Something went wrong',
    `The error is on our end. Try again. If it happens again, please call us and mention ${requestId}.`,
  ]
}
