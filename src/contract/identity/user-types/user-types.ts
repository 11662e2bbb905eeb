import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { OwnPermissions } from '../auth.ts'
import { USER_TYPE_LIST } from './user-type-list.ts'
import { GrantedPermissions } from './granted.ts'

/** What people of a type see: their own organization, or the whole customer. */
export const REACHES = ['organization', 'customer'] as const

/** A named set of permissions. Types form a tree: whoever is of a type keeps those below it. */
export const UserType = z.object({
  id: z.string(),
  name: z.string(),
  /** Null at the top of the tree. */
  parentId: z.string().nullable(),
  parentName: z.string().nullable(),
  reach: z.enum(REACHES),
  /** Its people are asked for a second factor when they sign in. */
  requiresSecondFactor: z.boolean(),
  /** How many people are of this type. */
  people: z.number().int(),
  /** How many permissions it grants. */
  permissions: z.number().int(),
  /** Why the caller may not change it, as a sentence; null when they may. */
  lock: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type UserType = z.infer<typeof UserType>

/** One node of the caller's own subtree, parents before children. */
export const UserTypeChoice = UserType.pick({
  id: true,
  name: true,
  parentId: true,
  reach: true,
  people: true,
  lock: true,
}).extend({
  /** 0 for the top of what the caller sees. */
  depth: z.number().int(),
})
export type UserTypeChoice = z.infer<typeof UserTypeChoice>

const fields = {
  name: line(80, 'Name'),
  parentId: z.union([Id, z.null()], 'Choose the type above.'),
  reach: z.enum(REACHES, 'Reach must be organization or customer.'),
  requiresSecondFactor: z.boolean('Choose whether its people need a second factor.').optional(),
}

/**
 * Without a parent it stands under the caller's own type. Without a word on the second factor it asks for one where it
 * grants leads or submissions.
 */
export const NewUserType = z.strictObject({
  userType: z.strictObject({
    ...fields,
    parentId: fields.parentId.optional(),
    reach: fields.reach.optional().default('organization'),
  }),
  permissions: GrantedPermissions.optional().default([]),
})

/** What `edit-user-type` answered may come back whole; only the fields that are there are changed. */
export const UserTypeChange = z.strictObject({
  userType: z
    .looseObject({
      id: Id,
      version: Version,
      name: fields.name.optional(),
      parentId: fields.parentId.optional(),
      reach: fields.reach.optional(),
      requiresSecondFactor: fields.requiresSecondFactor,
    })
    .transform(({ id, version, name, parentId, reach, requiresSecondFactor }) => ({
      id,
      version,
      name,
      parentId,
      reach,
      requiresSecondFactor,
    })),
  permissions: GrantedPermissions.optional(),
})

export const userTypes = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-user-types',
    allow: can(Func.userTypes, Opr.list),
    summary: 'The user types of the customer as a queried list.',
    input: listQuery(USER_TYPE_LIST),
    output: queriedList(UserType),
  }),
  forParent: endpoint({
    method: 'GET',
    path: '/api/administration/usertypes-for-parent',
    allow: {
      anyOf: [
        can(Func.userTypes, Opr.list),
        can(Func.users, Opr.list),
        can(Func.users, Opr.create),
        can(Func.users, Opr.update),
      ],
    },
    summary: "The caller's own user type and everything below it, parents before children.",
    output: z.array(UserTypeChoice),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-user-type/{id}',
    allow: can(Func.userTypes, Opr.read),
    summary: 'One user type with everything its form edits.',
    input: z.strictObject({ id: Id }),
    output: UserType,
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/api/administration/auth-user-type-permission/{id}',
    allow: { anyOf: [can(Func.userTypes, Opr.read), can(Func.users, Opr.read)] },
    summary: 'What a user type grants.',
    input: z.strictObject({ id: Id }),
    output: OwnPermissions,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-user-type',
    allow: can(Func.userTypes, Opr.create),
    summary: 'Adds a user type below the own one. Nobody grants what they do not hold.',
    input: NewUserType,
    output: UserType,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-user-type',
    allow: can(Func.userTypes, Opr.update),
    summary:
      'Changes a user type, and with `permissions`, the whole set wanted, what it grants. That takes administer, too.',
    input: UserTypeChange,
    output: UserType,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-user-type/{id}',
    allow: can(Func.userTypes, Opr.delete),
    summary: 'Deletes a user type that nobody is of and that stands above no other; else 409.',
    input: z.strictObject({ id: Id }),
  }),
}
