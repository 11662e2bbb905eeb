import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { clock } from '#server/clock.ts'
import type { TestApp } from '#test/app.ts'
import { multipart, type SentPart } from '#test/harness/multipart.ts'

let visitors = 0

export type Answers = Record<string, string>

/** Solves a challenge as a browser does. */
export async function solve(text: string): Promise<string> {
  const challenge: Challenge = JSON.parse(text)
  return JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
}

/** What a page with a script sends unseen: its proof of work, and no word that there can't be one. */
export async function proven({ text, hidden }: { text: string; hidden: Answers }): Promise<Answers> {
  const [, challenge = ''] = / data-proof="([^"]+)"/.exec(text) ?? []
  const { [FIELD_NAMES.noScript]: _none, ...rest } = hidden
  return { ...rest, [FIELD_NAMES.proof]: await solve(challenge.replaceAll('&quot;', '"')) }
}

/**
 * A visitor with an address of their own and without scripts, who opens a form, fills it in for ten seconds and sends it.
 * With `proven`, their browser runs scripts.
 */
export function visitorOf(
  forecourt: TestApp,
  host: string,
  ip = `10.1.${Math.floor(++visitors / 250)}.${(visitors % 250) + 1}`,
  given: Answers = {},
) {
  const request = (method: 'GET' | 'POST', url: string, payload?: string | Buffer, more = {}) =>
    forecourt.app.inject({
      method,
      url,
      remoteAddress: ip,
      headers: {
        host,
        ...given,
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
    // Without a script, nothing in a template is shown or sent.
    const text = page.body.replaceAll(/\s+/g, ' ').replaceAll(/<template>.*?<\/template>/g, '')
    return { status: page.statusCode, text, hidden: hiddenOf(text) }
  }
  return {
    ip,
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
      return { ...read(page), location: page.headers.location, retryAfter: page.headers['retry-after'] }
    },
  }
}
