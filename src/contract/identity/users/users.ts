import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line } from '#contract/fields.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { defineList } from '#contract/lists/list.ts'
import { Selection } from '#contract/lists/selection.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { field, flag, optionalText, phoneField, record, requiredText } from '#contract/record.ts'
import { OwnPermissions } from '../auth.ts'
import { GrantedPermissions } from '../user-types/granted.ts'

/** `invited` hasn't set a password yet; `off` can't sign in. */
export const USER_STATES = ['active', 'invited', 'off'] as const

/** A user account, with its fields in form order. */
export const userRecord = record(
  {
    firstName: requiredText('First name', 60),
    lastName: requiredText('Last name', 60),
    email: field('Email', {
      input: line(254, 'Email').pipe(z.email('Enter a valid email address.')),
      stored: z.string(),
      blank: '',
    }),
    userName: field('User name', {
      input: line(60, 'User name').regex(
        /^[\w.@+-]+$/,
        'Use only letters, digits and . _ - + @ in the user name.',
      ),
      stored: z.string(),
      blank: '',
    }),
    phone: phoneField('Phone'),
    jobTitle: optionalText('Job title', 80),
    userTypeId: field('User type', { input: Id, stored: z.string(), blank: '' }),
    isSuper: flag('Super user', { initial: false }),
  },
  {
    readOnly: {
      userTypeName: z.string(),
      isActive: z.boolean(),
      state: z.enum(USER_STATES),
      /** Their organizations, limited to those the caller can access. */
      organizations: z.array(z.object({ id: z.string(), name: z.string() })),
      /** Number of permissions in which they differ from their user type. */
      differences: z.number().int(),
      lastSignInAt: Instant.nullable(),
      /** When the last password email was sent to them. */
      passwordMailAt: Instant.nullable(),
      /** When their authenticator was turned on; null if it is off. */
      authenticatorAt: Instant.nullable(),
      /** Why the caller can't change this user, as a sentence; null if they can. */
      lock: z.string().nullable(),
    },
  },
)
export type User = z.infer<typeof userRecord.schema>

export const OrganizationIds = z.array(Id).max(200, 'A user can belong to at most 200 organizations.')
/** Set by buttons of its own, so it isn't a field of the form. */
const IsActive = z.boolean('Choose whether the user can sign in.')

/** `permissions` is the complete set. Without it, the user has what the user type grants. */
const NewUser = z.strictObject({
  user: userRecord.create.extend({
    organizationIds: OrganizationIds,
    isActive: IsActive.optional().default(true),
  }),
  permissions: GrantedPermissions.optional(),
  /** Sends the email with the link to set a first password. */
  sendsPasswordMail: z.boolean().optional().default(false),
})

/**
 * The response of `edit-user` may be sent back whole: other fields are ignored, whatever they are. Only the fields present
 * are changed.
 */
const UserChange = z.strictObject({
  user: userRecord.changes.extend({
    organizationIds: OrganizationIds.optional(),
    isActive: IsActive.optional(),
  }),
  permissions: GrantedPermissions.optional(),
})

/** A change to a user or their permissions, for the user's page. */
export const Activity = z.object({
  at: Instant,
  by: z.string().nullable(),
  /** "Changed email and phone", "Allowed Lots, delete". */
  what: z.string(),
})
export type Activity = z.infer<typeof Activity>

export const USER_LIST = defineList({
  key: 'users',
  title: 'Users',
  nouns: ['user', 'users'],
  page: '/administration/users',
  allow: can(Func.users, Opr.list),
  exports: can(Func.users, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Name', kind: 'text', isSortable: true, isFixed: true },
    userName: { title: 'User name', kind: 'text', isSortable: true, isHidden: true },
    email: { title: 'Email', kind: 'text', isSortable: true },
    phone: { title: 'Phone', kind: 'text', isHidden: true },
    jobTitle: { title: 'Job title', kind: 'text', isHidden: true },
    userTypeId: { title: 'User type', kind: 'reference', refersTo: 'userTypes', isSortable: true },
    organizationIds: { title: 'Organizations', kind: 'references', refersTo: 'organizations' },
    state: {
      title: 'Status',
      kind: 'choice',
      isSortable: true,
      choices: [
        { value: 'active', label: 'Active' },
        { value: 'invited', label: 'Invited' },
        { value: 'off', label: 'Deactivated' },
      ],
    },
    isSuper: { title: 'Super user', kind: 'flag', isHidden: true },
    differences: { title: 'Permission overrides', kind: 'integer', isHidden: true },
    lastSignInAt: { title: 'Last sign-in', kind: 'moment', isSortable: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true, isHidden: true },
  },
})

const [LIST, ACTIVITY, PERMISSIONS] = [
  '/api/administration/get-users',
  '/api/administration/user-activity/{id}',
  '/api/administration/auth-user-permission/{id}',
] as const
/** The lists, and the number of users of each user type. */
const LISTS = [
  LIST,
  '/api/administration/usertypes-for-parent',
  '/api/administration/get-user-types',
] as const
/** Everything that shows a user, besides the user itself. */
export const SHOWS_USERS = [...LISTS, ACTIVITY, PERMISSIONS] as const

/** What a user is used by, and why they can't be deleted because of it. */
export const UserUses = z.object({
  uses: z.array(
    z.object({
      /** "lead destinations", in the number of `total`. */
      noun: z.string(),
      total: z.number().int(),
      /** The first of them; empty where only the number is of interest. */
      names: z.array(z.string()),
    }),
  ),
  /** A sentence; null if the user can be deleted. */
  refusal: z.string().nullable(),
})
export type UserUses = z.infer<typeof UserUses>

export const users = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.users, Opr.list),
    summary: 'Users the caller can access, searchable by name, user name, email, job title and user type.',
    input: listQuery(USER_LIST),
    output: queriedList(userRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-user/{id}',
    allow: can(Func.users, Opr.read),
    summary: 'One user with all fields of the form.',
    input: z.strictObject({ id: Id }),
    output: userRecord.schema,
  }),
  permissions: endpoint({
    method: 'GET',
    path: PERMISSIONS,
    allow: can(Func.users, Opr.read),
    summary: "A user's permissions: what the user type grants, with the user's overrides.",
    input: z.strictObject({ id: Id }),
    output: OwnPermissions,
  }),
  activity: endpoint({
    method: 'GET',
    path: ACTIVITY,
    allow: can(Func.users, Opr.read),
    summary: 'The latest changes to a user, newest first, at most 50.',
    input: z.strictObject({ id: Id }),
    output: z.array(Activity),
  }),
  uses: endpoint({
    method: 'GET',
    path: '/api/administration/get-user-uses/{id}',
    allow: can(Func.users, Opr.delete),
    summary:
      'What a user is used by that would be left without them after their deletion, such as lead destinations, lots and leads.',
    input: z.strictObject({ id: Id }),
    output: UserUses,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-user',
    allow: can(Func.users, Opr.create),
    // Its email is composed outside the transaction.
    outside: true,
    summary: 'Adds a user. Callers can only grant permissions they have.',
    input: NewUser,
    output: userRecord.schema,
    changes: SHOWS_USERS,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-user',
    allow: can(Func.users, Opr.update),
    // Its email is composed outside the transaction.
    outside: true,
    summary:
      'Changes a user. `permissions`, the complete set, replaces their permissions and also requires administer.',
    input: UserChange,
    output: userRecord.schema,
    changes: SHOWS_USERS,
  }),
  remove: endpoint({
    ...deletionOf(userRecord.schema),
    path: '/api/administration/delete-user/{id}',
    allow: can(Func.users, Opr.delete),
    summary:
      'Deletes a user and ends their sessions. Returns 409 if an active lead destination would be left with no one. Their name stays in the audit log, and in the frozen files of what they approved or submitted.',
    changes: LISTS,
  }),
  sendPasswordMail: endpoint({
    method: 'GET',
    // Spelled as the specification has it (section 7).
    path: '/api/administration/send-password-epdate-email/{id}',
    allow: can(Func.users, Opr.update),
    writes: true,
    outside: true,
    summary: 'Emails a user the link to set a password.',
    input: z.strictObject({ id: Id }),
    output: userRecord.schema,
    changes: SHOWS_USERS,
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/administration/change-users',
    allow: can(Func.users, Opr.update),
    summary:
      "Activates or deactivates many users in a background job. Users the caller can't change are skipped and listed.",
    input: z.strictObject({
      selection: Selection,
      change: z.strictObject({ isActive: z.boolean('Choose whether the users can sign in.') }),
    }),
    output: Job,
  }),
}
