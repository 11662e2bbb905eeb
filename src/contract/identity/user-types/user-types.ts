import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, Version } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { OwnPermissions } from '../auth.ts'
import { USER_TYPE_LIST } from './user-type-list.ts'
import { GrantedPermissions } from './granted.ts'

/** What users of a type see: their own organizations, or all organizations of the customer. */
export const REACHES = ['organization', 'customer'] as const

/** A named set of permissions. Types form a tree: users of a type can manage the types below it. */
export const UserType = z.object({
  id: z.string(),
  name: z.string(),
  /** Null at the top of the tree. */
  parentId: z.string().nullable(),
  parentName: z.string().nullable(),
  reach: z.enum(REACHES),
  /** Users of this type must give a second factor at sign-in. */
  requiresSecondFactor: z.boolean(),
  /** Number of users of this type. */
  people: z.number().int(),
  /** Number of permissions it grants. */
  permissions: z.number().int(),
  /** Names of the saved views that are shared only with it, and deleted with it. */
  sharedViews: z.array(z.string()),
  /** Why the caller can't change it, as a sentence; null if they can. */
  lock: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type UserType = z.infer<typeof UserType>

/** A node of the caller's subtree, parents before children. */
export const UserTypeChoice = UserType.pick({
  id: true,
  name: true,
  parentId: true,
  reach: true,
  people: true,
  lock: true,
  version: true,
}).extend({
  /** 0 for the top of the caller's subtree. */
  depth: z.number().int(),
})
export type UserTypeChoice = z.infer<typeof UserTypeChoice>

const fields = {
  name: line(80, 'Name'),
  parentId: z.union([Id, z.null()], 'Choose a parent type.'),
  reach: z.enum(REACHES, 'Access must be organization or customer.'),
  requiresSecondFactor: z.boolean('Choose whether users of this type need a second factor.').optional(),
}

/**
 * Without a parent, it goes below the caller's own type. If `requiresSecondFactor` isn't given, a type that
 * grants leads or submissions requires a second factor.
 */
export const NewUserType = z.strictObject({
  userType: z.strictObject({
    ...fields,
    parentId: fields.parentId.optional(),
    reach: fields.reach.optional().default('organization'),
  }),
  permissions: GrantedPermissions.optional().default([]),
})

/** The response of `edit-user-type` may be sent back whole. Only the fields present are changed. */
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

/** What shows user types: their tree and lists, and the users with their permissions. */
const SHOWS_TYPES = [
  '/api/administration/get-user-types',
  '/api/administration/usertypes-for-parent',
  '/api/administration/get-users',
  '/api/administration/edit-user/{id}',
  '/api/administration/auth-user-permission/{id}',
] as const

export const userTypes = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-user-types',
    allow: can(Func.userTypes, Opr.list),
    summary: "The customer's user types, as a queried list.",
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
    summary: "The caller's user type and all types below it, parents before children.",
    output: z.array(UserTypeChoice),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-user-type/{id}',
    allow: can(Func.userTypes, Opr.read),
    summary: 'Returns one user type with all fields of its form.',
    input: z.strictObject({ id: Id }),
    output: UserType,
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/api/administration/auth-user-type-permission/{id}',
    allow: { anyOf: [can(Func.userTypes, Opr.read), can(Func.users, Opr.read)] },
    summary: 'Permissions that a user type grants.',
    input: z.strictObject({ id: Id }),
    output: OwnPermissions,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-user-type',
    allow: can(Func.userTypes, Opr.create),
    summary: "Adds a user type below the caller's own. Callers can only grant permissions they have.",
    input: NewUserType,
    output: UserType,
    changes: SHOWS_TYPES,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-user-type',
    allow: can(Func.userTypes, Opr.update),
    summary:
      'Changes a user type. `permissions`, the complete set, replaces what it grants and also requires administer.',
    input: UserTypeChange,
    output: UserType,
    changes: SHOWS_TYPES,
  }),
  remove: endpoint({
    ...deletionOf(UserType),
    path: '/api/administration/delete-user-type/{id}',
    allow: can(Func.userTypes, Opr.delete),
    summary:
      'Deletes a user type, and the saved views that are shared only with it. Returns 409 if users have this type or other types are below it.',
    changes: SHOWS_TYPES,
  }),
}
