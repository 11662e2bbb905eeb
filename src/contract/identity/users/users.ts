import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, optionalLine, Version } from '#contract/fields.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { Selection } from '#contract/lists/selection.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { OwnPermissions } from '../auth.ts'
import { GrantedPermissions } from '../user-types/granted.ts'
import { USER_LIST } from './user-list.ts'

/** `invited` hasn't set a password yet; `off` can't sign in. */
export const USER_STATES = ['active', 'invited', 'off'] as const

/** A user account. */
export const User = z.object({
  id: z.string(),
  userName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  jobTitle: z.string().nullable(),
  userTypeId: z.string(),
  userTypeName: z.string(),
  isActive: z.boolean(),
  isSuper: z.boolean(),
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
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type User = z.infer<typeof User>

const fields = {
  userName: line(60, 'User name').regex(
    /^[\w.@+-]+$/,
    'Use only letters, digits and . _ - + @ in the user name.',
  ),
  firstName: line(60, 'First name'),
  lastName: line(60, 'Last name'),
  email: z.string().trim().max(254).pipe(z.email('Enter a valid email address.')),
  phone: optionalLine(32, 'Phone'),
  jobTitle: optionalLine(80, 'Job title'),
  userTypeId: Id,
  organizationIds: z.array(Id).max(200, 'A user can belong to at most 200 organizations.'),
  isActive: z.boolean('Choose whether the user can sign in.'),
  isSuper: z.boolean(),
}

/** `permissions` is the complete set. Without it, the user has what the user type grants. */
export const NewUser = z.strictObject({
  user: z.strictObject({
    ...fields,
    isActive: fields.isActive.optional().default(true),
    isSuper: fields.isSuper.optional().default(false),
  }),
  permissions: GrantedPermissions.optional(),
  /** Sends the email with the link to set a first password. */
  sendsPasswordMail: z.boolean().optional().default(false),
})

/** The response of `edit-user` may be sent back whole. Only the fields present are changed. */
export const UserChange = z.strictObject({
  user: z
    .looseObject({
      id: Id,
      version: Version,
      userName: fields.userName.optional(),
      firstName: fields.firstName.optional(),
      lastName: fields.lastName.optional(),
      email: fields.email.optional(),
      phone: fields.phone,
      jobTitle: fields.jobTitle,
      userTypeId: fields.userTypeId.optional(),
      organizationIds: fields.organizationIds.optional(),
      isActive: fields.isActive.optional(),
      isSuper: fields.isSuper.optional(),
    })
    .transform(
      ({ id, version, userName, firstName, lastName, email, phone, jobTitle, userTypeId, ...rest }) => {
        const { organizationIds, isActive, isSuper } = rest
        const named = { userName, firstName, lastName, email, phone, jobTitle, userTypeId }
        return { id, version, ...named, organizationIds, isActive, isSuper }
      },
    ),
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

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-users',
    allow: can(Func.users, Opr.list),
    summary: 'Users the caller can access, searchable by name, user name, email, job title and user type.',
    input: listQuery(USER_LIST),
    output: queriedList(User),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-user/{id}',
    allow: can(Func.users, Opr.read),
    summary: 'One user with all fields of the form.',
    input: z.strictObject({ id: Id }),
    output: User,
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/api/administration/auth-user-permission/{id}',
    allow: can(Func.users, Opr.read),
    summary: "A user's permissions: what the user type grants, with the user's overrides.",
    input: z.strictObject({ id: Id }),
    output: OwnPermissions,
  }),
  activity: endpoint({
    method: 'GET',
    path: '/api/administration/user-activity/{id}',
    allow: can(Func.users, Opr.read),
    summary: 'The latest changes to a user, newest first, at most 50.',
    input: z.strictObject({ id: Id }),
    output: z.array(Activity),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-user',
    allow: can(Func.users, Opr.create),
    summary: 'Adds a user. Callers can only grant permissions they have.',
    input: NewUser,
    output: User,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-user',
    allow: can(Func.users, Opr.update),
    summary:
      'Changes a user. `permissions`, the complete set, replaces their permissions and also requires administer.',
    input: UserChange,
    output: User,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-user/{id}',
    allow: can(Func.users, Opr.delete),
    summary: 'Deletes a user and ends their sessions. Their name stays in the audit log.',
    input: z.strictObject({ id: Id }),
  }),
  sendPasswordMail: endpoint({
    method: 'GET',
    // Spelled as the specification has it (section 7).
    path: '/api/administration/send-password-epdate-email/{id}',
    allow: can(Func.users, Opr.update),
    writes: true,
    summary: 'Emails a user the link to set a password.',
    input: z.strictObject({ id: Id }),
    output: User,
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
