import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { can, Func, Opr } from '../permissions.ts'
import { ItemPath } from './names.ts'

/** The longest alternative text. */
export const MOST_ALT = 200

const Alt = z
  .string('Alternative text must be text.')
  .trim()
  .max(MOST_ALT, `An alternative text can have at most ${MOST_ALT} characters.`)

/** What pictures of the media library show, in words. */
export const mediaTexts = {
  update: endpoint({
    method: 'POST',
    path: '/api/azure/set-alt-text',
    allow: can(Func.media, Opr.update),
    summary:
      'Sets the alternative text of a picture of the media: what a page or layout starts with that takes the picture. Blank removes it. Returns 400 if it names an amount, and 409 with the stored text if that is no longer `before`.',
    input: z.strictObject({ path: ItemPath, alt: Alt, before: Alt.default('') }),
    output: z.object({ alt: z.string() }),
    outside: true,
    changes: ['/api/azure/get-children'],
  }),
}
