import { Failure } from '#server/http/failure.ts'
import { html } from '#public/html.ts'
import { messagePage, type Page } from '#public/layout.ts'

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
export function errorPage(status: number, requestId: string): Page {
  const [title, text] = explain(status, requestId)
  return messagePage({
    title,
    text,
    more: html`<p>Your browser's Back button leads to the page before. What you typed is still there.</p>`,
  })
}

function explain(status: number, requestId: string): [title: string, text: string] {
  if (status === 413) return ["That's too much at once", 'Send less text.']
  if (status === 429) {
    return ['Please wait a moment', 'There were too many requests from your network. Try again in a minute.']
  }
  if (status >= 400 && status < 500) return ["This request can't be read", 'Try again.']
  return [
    'Something went wrong',
    `The error is on our end. Try again. If it happens again, please call us and mention ${requestId}.`,
  ]
}

/** The status of an error: 500 unless it is the visitor's. */
export function statusOf(error: unknown): number {
  if (error instanceof Failure) return error.status
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? status : 500
}
