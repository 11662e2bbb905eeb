import { Failure } from '#server/http/failure.ts'
import { messagePage, type Page } from '#public/layout.ts'

/** For addresses without a page. */
export const notFoundPage = (): Page =>
  messagePage({
    title: 'Page not found',
    text: "This page doesn't exist. The link may be old or incomplete.",
  })

/** The page for an error. `requestId`: what a visitor can mention on the phone. */
export function errorPage(status: number, requestId: string): Page {
  if (status === 413) {
    return messagePage({
      title: "That's too much at once",
      text: 'Go back, send less text, and try again. What you typed is still there.',
    })
  }
  if (status === 429) {
    return messagePage({
      title: 'Please wait a moment',
      text: 'There were too many requests from your network. Go back and try again in a minute.',
    })
  }
  if (status >= 400 && status < 500) {
    return messagePage({ title: "This request can't be read", text: 'Go back and try again.' })
  }
  return messagePage({
    title: 'Something went wrong',
    text: `Something went wrong on our end. Go back and try again; what you typed is still there. If it happens again, please call us and mention ${requestId}.`,
  })
}

/** The status of an error: 500 unless it is the visitor's. */
export function statusOf(error: unknown): number {
  if (error instanceof Failure) return error.status
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? status : 500
}
