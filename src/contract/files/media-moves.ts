import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { can, Func, Opr } from '../permissions.ts'
import { FolderPath, ItemPath } from './names.ts'

/** The most files and folders that one call moves. */
export const MAX_MOVED = 500
/** The longest path to which something is moved: pages and vehicles name files by their path. */
export const MOST_MOVED_PATH = 500

const CHANGES = ['/api/azure/get-children', '/api/azure/get-duplicates'] as const

const Moved = z.array(z.object({ from: z.string(), to: z.string() }))
const WithReasons = z.array(z.object({ path: z.string(), reason: z.string() }))

/** The paths of what can't be moved under its name, because the target folder has the name. */
export const TakenNames = z.array(z.string())

/** Moves files and folders of the media library. What shows them shows them where they are then. */
export const mediaMoves = {
  move: endpoint({
    method: 'POST',
    path: '/api/azure/move',
    allow: can(Func.media, Opr.update),
    summary:
      'Moves files and folders of the media to the folder `to`; vehicles, pages and layouts that show them follow, and `followed` counts them. Nothing is overwritten: for names that are in use there, `taken` decides: `ask` (409 with their paths as `preview`, nothing is moved), `number` (another name) or `skip`. What stays is named in `kept`. For a day, `undo` moves the others back.',
    input: z.strictObject({
      paths: z
        .array(ItemPath, 'Send a list of paths.')
        .min(1, 'Choose at least one file or folder.')
        .max(MAX_MOVED, `You can move at most ${MAX_MOVED} files or folders at once.`),
      to: FolderPath,
      taken: z.enum(['ask', 'number', 'skip'], 'Choose ask, number or skip.').default('ask'),
    }),
    output: z.object({
      undo: z.string().nullable(),
      moved: Moved,
      followed: z.number().int(),
      kept: WithReasons,
    }),
    preview: TakenNames,
    outside: true,
    changes: CHANGES,
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/azure/undo-move',
    allow: can(Func.media, Opr.update),
    summary:
      'Moves back what `move` moved, and what shows it follows. Files and folders whose former name is in use again are named in `kept`.',
    input: z.strictObject({ undo: z.uuid('Send the `undo` of the move.') }),
    output: z.object({ moved: Moved, kept: WithReasons }),
    outside: true,
    changes: CHANGES,
  }),
}
