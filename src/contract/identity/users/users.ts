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

/** `invited` never had a password; `off` may not sign in. */
export const USER_STATES = ['active', 'invited', 'off'] as const

/** A person who may sign in. */
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
  /** The organizations they are a member of, as far as the caller reaches them. */
  organizations: z.array(z.object({ id: z.string(), name: z.string() })),
  /** In how many cells their rights differ from their type. */
  differences: z.number().int(),
  lastSignInAt: Instant.nullable(),
  /** When the last mail to set a password was sent to them. */
  passwordMailAt: Instant.nullable(),
  /** Since when they have an authenticator. */
  authenticatorAt: Instant.nullable(),
  /** Why the caller may not change this person, as a sentence; null when they may. */
  lock: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type User = z.infer<typeof User>

const fields = {
  userName: line(60, 'User name').regex(/^[\w.@+-]+$/, 'User name may have letters, digits and . _ - + @.'),
  firstName: line(60, 'First name'),
  lastName: line(60, 'Last name'),
  email: z.string().trim().max(254).pipe(z.email('This is not an e-mail address.')),
  phone: optionalLine(32, 'Phone'),
  jobTitle: optionalLine(80, 'Job title'),
  userTypeId: Id,
  organizationIds: z.array(Id).max(200, 'A person may be a member of at most 200 organizations.'),
  isActive: z.boolean('Choose whether the person may sign in.'),
  isSuper: z.boolean(),
}

/** `permissions` is the whole set wanted; without it the person has what the type grants. */
export const NewUser = z.strictObject({
  user: z.strictObject({
    ...fields,
    isActive: fields.isActive.optional().default(true),
    isSuper: fields.isSuper.optional().default(false),
  }),
  permissions: GrantedPermissions.optional(),
  /** Sends the mail with the link to the first password at once. */
  sendsPasswordMail: z.boolean().optional().default(false),
})

/** What `edit-user` answered may come back whole; only the fields that are there are changed. */
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

/** One change of a person or of what they may do, for their page. */
export const Activity = z.object({
  at: Instant,
  by: z.string().nullable(),
  /** "Changed e-mail and phone", "Allowed Lots, delete". */
  what: z.string(),
})
export type Activity = z.infer<typeof Activity>

export const users = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-users',
    allow: can(Func.users, Opr.list),
    summary: 'The people the caller reaches, searched by name, user name, e-mail, job title and type.',
    input: listQuery(USER_LIST),
    output: queriedList(User),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/edit-user/{id}',
    allow: can(Func.users, Opr.read),
    summary: 'One person with everything their form edits.',
    input: z.strictObject({ id: Id }),
    output: User,
  }),
  permissions: endpoint({
    method: 'GET',
    path: '/api/administration/auth-user-permission/{id}',
    allow: can(Func.users, Opr.read),
    summary: 'What a person may do: what their type grants with their own differences.',
    input: z.strictObject({ id: Id }),
    output: OwnPermissions,
  }),
  activity: endpoint({
    method: 'GET',
    path: '/api/administration/user-activity/{id}',
    allow: can(Func.users, Opr.read),
    summary: 'The latest changes of a person, newest first, at most 50.',
    input: z.strictObject({ id: Id }),
    output: z.array(Activity),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/administration/add-user',
    allow: can(Func.users, Opr.create),
    summary: 'Adds a person. Nobody grants what they do not hold.',
    input: NewUser,
    output: User,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/administration/update-user',
    allow: can(Func.users, Opr.update),
    summary:
      'Changes a person, and with `permissions`, the whole set wanted, their rights. That takes administer, too.',
    input: UserChange,
    output: User,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-user/{id}',
    allow: can(Func.users, Opr.delete),
    summary:
      'Deletes a person and ends their sessions. What they did stays in the audit log under their name.',
    input: z.strictObject({ id: Id }),
  }),
  sendPasswordMail: endpoint({
    method: 'GET',
    // Spelled as the specification has it (section 7).
    path: '/api/administration/send-password-epdate-email/{id}',
    allow: can(Func.users, Opr.update),
    writes: true,
    summary: 'Mails a person the link to set a password.',
    input: z.strictObject({ id: Id }),
    output: User,
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/administration/change-users',
    allow: can(Func.users, Opr.update),
    summary:
      'Lets many people in or keeps them out, by a job. Those the caller may not change stay, and are listed.',
    input: z.strictObject({
      selection: Selection,
      change: z.strictObject({ isActive: z.boolean('Choose whether the people may sign in.') }),
    }),
    output: Job,
  }),
}
