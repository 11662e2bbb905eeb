import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, line, Version } from '../fields.ts'
import { MAX_PAGE_SIZE, narrowing } from '../queried-list.ts'

/** Who sees a saved view: its owner, the organization it was saved in, or everybody of one user type. */
export const VIEW_SCOPES = ['private', 'organization', 'userType'] as const
/** Heights of a row, from two lines with air to matrix. */
export const DENSITIES = ['comfortable', 'medium', 'compact'] as const

/** How a list is shown. What is left out is the list's own. Columns in order, widths in px. */
export const ViewState = z.strictObject({
  ...narrowing,
  sort: z.string().max(200).optional(),
  columns: z.array(z.string().max(60)).max(80).readonly().optional(),
  widths: z.record(z.string().max(60), z.number().int().min(48).max(1_000)).optional(),
  density: z.enum(DENSITIES).optional(),
  /** Rows a page; 0: all of them, scrolled. */
  size: z.number().int().min(0).max(MAX_PAGE_SIZE).optional(),
})
export type ViewState = z.infer<typeof ViewState>

/** A list as somebody wants to find it again. */
export const View = z.object({
  id: z.string(),
  list: z.string(),
  name: z.string(),
  scope: z.enum(VIEW_SCOPES),
  /** With `userType`: whose. */
  userTypeId: z.string().nullable(),
  userTypeName: z.string().nullable(),
  ownerName: z.string().nullable(),
  isMine: z.boolean(),
  /** Why the caller may not change it, as a sentence; null when they may. */
  lock: z.string().nullable(),
  /** The one the caller's list opens with. */
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
    summary: "The saved views of one list that the caller sees: own, the organization's, the user type's.",
    input: z.strictObject({ list: listKey }),
    output: z.array(View),
  }),
  counts: endpoint({
    method: 'GET',
    path: '/api/lists/get-view-counts',
    allow: 'member',
    summary:
      'How many rows each saved view of a list holds right now, by its number; null where its rule is broken.',
    input: z.strictObject({ list: listKey }),
    output: z.record(z.string(), z.number().int().nullable()),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/lists/add-view',
    allow: 'member',
    summary: 'Saves how a list is shown. Sharing with another user type takes administering user types.',
    input: z.strictObject({
      list: listKey,
      name,
      scope: z.enum(VIEW_SCOPES).optional().default('private'),
      /** With `userType`: without it the own one. */
      userTypeId: Id.optional(),
      state: ViewState,
    }),
    output: View,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/lists/update-view',
    allow: 'member',
    summary: 'Changes a saved view: its owner may, and whoever administers user types.',
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
    method: 'DELETE',
    path: '/api/lists/delete-view/{id}',
    allow: 'member',
    summary: 'Deletes a saved view.',
    input: z.strictObject({ id: Id }),
  }),
  setDefault: endpoint({
    method: 'POST',
    path: '/api/lists/set-default-view',
    allow: 'member',
    summary: "The view that the caller's list opens with; null: the list as it is.",
    input: z.strictObject({ list: listKey, id: Id.nullable() }),
  }),
}
