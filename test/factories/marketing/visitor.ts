import { clock } from '#server/clock.ts'
import type { TestApp } from '#test/app.ts'
import { multipart, type SentPart } from '#test/harness/multipart.ts'

let visitors = 0

export type Answers = Record<string, string>

/** A visitor with an address of their own, who opens a form, fills it in for ten seconds and sends it. */
export function visitorOf(forecourt: TestApp, host: string) {
  const ip = `10.1.${Math.floor(++visitors / 250)}.${(visitors % 250) + 1}`
  const request = (method: 'GET' | 'POST', url: string, payload?: string | Buffer, more = {}) =>
    forecourt.app.inject({
      method,
      url,
      remoteAddress: ip,
      headers: {
        host,
        ...(payload !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...more,
      },
      ...(payload !== undefined && { payload }),
    })
  const hiddenOf = (page: string): Answers =>
    Object.fromEntries(
      [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
  // Line breaks in the text are spaces: the formatter moves them.
  const read = (page: { statusCode: number; body: string }) => {
    const text = page.body.replaceAll(/\s+/g, ' ')
    return { status: page.statusCode, text, hidden: hiddenOf(text) }
  }
  return {
    open: async (url: string, headers: Answers = {}) => {
      const page = await request('GET', url, undefined, headers)
      return read(page)
    },
    /** Sends a form as a browser does if it has a file input. */
    sendFiles: async (url: string, fields: readonly [string, string][], files: readonly SentPart[]) => {
      clock.advance(10_000)
      const { payload, headers } = multipart(fields, files)
      const page = await request('POST', url, payload, headers)
      return { ...read(page), location: page.headers.location }
    },
    send: async (url: string, hidden: Answers, answers: Answers, seconds = 10) => {
      clock.advance(seconds * 1_000)
      const named = Object.entries(answers)
      const page = await request(
        'POST',
        url,
        new URLSearchParams([...Object.entries(hidden), ...named]).toString(),
      )
      return { ...read(page), location: page.headers.location }
    },
  }
}
