import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '../endpoint.ts'
import { Id, line, Version } from '../fields.ts'
import { MAX_PAGE_SIZE, narrowing } from '../queried-list.ts'

/** Who can see a saved view: its owner, the organization it was saved in, or users of one user type. */
export const VIEW_SCOPES = ['private', 'organization', 'userType'] as const
/** Row heights, from two lines with padding to dense. */
export const DENSITIES = ['comfortable', 'medium', 'compact'] as const

/** The state of a list. Omitted parts are the list's defaults. Columns in order, widths in px. */
export const ViewState = z.strictObject({
  ...narrowing,
  sort: z.string().max(200).optional(),
  columns: z.array(z.string().max(60)).max(80).readonly().optional(),
  widths: z.record(z.string().max(60), z.number().int().min(48).max(1_000)).optional(),
  density: z.enum(DENSITIES).optional(),
  /** Rows per page; 0: all of them, scrolled. */
  size: z.number().int().min(0).max(MAX_PAGE_SIZE).optional(),
})
export type ViewState = z.infer<typeof ViewState>

/** A saved view. */
export const View = z.object({
  id: z.string(),
  list: z.string(),
  name: z.string(),
  scope: z.enum(VIEW_SCOPES),
  /** For `userType`: which one. */
  userTypeId: z.string().nullable(),
  userTypeName: z.string().nullable(),
  ownerName: z.string().nullable(),
  isMine: z.boolean(),
  /** Why the caller can't change it, as a sentence; null if they can. */
  lock: z.string().nullable(),
  /** The caller's default view of the list. */
  isDefault: z.boolean(),
  state: ViewState,
  version: z.number().int(),
})
export type View = z.infer<typeof View>

const listKey = z.string().max(40)
const name = line(60, 'Name')

export const views = {
  list: endpoint({
    method: 'GET',
    path: '/api/lists/get-views',
    allow: 'member',
    summary:
      "Saved views of a list that the caller can see: their own, the organization's and the user type's.",
    input: z.strictObject({ list: listKey }),
    output: z.array(View),
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/lists/get-view-counts',
    allow: 'member',
    summary: 'The current number of rows of each saved view, by ID; null if its rule is invalid.',
    input: z.strictObject({ list: listKey }),
    output: z.record(z.string(), z.number().int().nullable()),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/lists/add-view',
    allow: 'member',
    summary:
      'Saves a view of a list. Sharing requires permission to create shared views, and with another user type permission to administer user types.',
    input: z.strictObject({
      list: listKey,
      name,
      scope: z.enum(VIEW_SCOPES).optional().default('private'),
      /** For `userType`: defaults to the caller's own. */
      userTypeId: Id.optional(),
      state: ViewState,
    }),
    output: View,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/lists/update-view',
    allow: 'member',
    summary:
      'Updates a saved view. Allowed for its owner and for users who administer user types. A shared view also requires permission to create shared views.',
    input: z.strictObject({
      id: Id,
      version: Version,
      name: name.optional(),
      scope: z.enum(VIEW_SCOPES).optional(),
      userTypeId: Id.optional(),
      state: ViewState.optional(),
    }),
    output: View,
  }),
  remove: endpoint({
    ...deletionOf(View),
    path: '/api/lists/delete-view/{id}',
    allow: 'member',
    summary: 'Deletes a saved view.',
  }),
  setDefault: endpoint({
    method: 'POST',
    path: '/api/lists/set-default-view',
    allow: 'member',
    summary: "The caller's default view of the list; null for the plain list.",
    input: z.strictObject({ list: listKey, id: Id.nullable() }),
  }),
}
