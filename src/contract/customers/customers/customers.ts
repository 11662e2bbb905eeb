import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, TimeZone, Version } from '#contract/fields.ts'
import { USER_STATES } from '#contract/identity/users/users.ts'
import { MAIL_STATES, OpenMail } from '#contract/mail/outbox/outbox.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { CUSTOMER_LIST } from './customer-list.ts'
import { FOUND_LIST } from './reachable-user-list.ts'

/** Users of a suspended or closed customer can't sign in; the data stays. */
export const CUSTOMER_STATUSES = ['active', 'suspended', 'closed'] as const

/** A tenant as the platform staff see it. */
export const Customer = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(CUSTOMER_STATUSES),
  /** Why it was suspended or closed. */
  statusReason: z.string().nullable(),
  statusChangedAt: Instant.nullable(),
  /** The platform's own customer cannot be suspended or closed. */
  isPlatform: z.boolean(),
  domains: z.array(z.string()),
  timeZone: z.string(),
  organizations: z.number().int(),
  people: z.number().int(),
  lots: z.number().int(),
  /** When one of its own users last signed in. */
  lastSignInAt: Instant.nullable(),
  createdAt: Instant,
  version: z.number().int(),
})
export type Customer = z.infer<typeof Customer>

/** Setup steps of a new customer, in order. */
export const CHECKLIST = ['invited', 'entered', 'domain', 'lots', 'people', 'details'] as const

export const OpenCustomer = Customer.extend({
  /** Where its users open the product: links in emails begin with it. */
  address: z.string(),
  organizationList: z.array(z.object({ id: z.string(), name: z.string(), timeZone: z.string() })),
  /** The customer's first administrator; null if that user was deleted. */
  administrator: z
    .object({
      id: z.string(),
      fullName: z.string(),
      email: z.string(),
      userName: z.string(),
      state: z.enum(USER_STATES),
      passwordMailAt: Instant.nullable(),
      /** What became of the latest email with a link. */
      passwordMailState: z.enum(MAIL_STATES).nullable(),
    })
    .nullable(),
  checklist: z.array(z.object({ step: z.enum(CHECKLIST), isDone: z.boolean() })),
})
export type OpenCustomer = z.infer<typeof OpenCustomer>

/** Everything the add-customer form creates in one transaction. */
export const NewCustomer = z.strictObject({
  name: line(120, 'Name'),
  organizationName: line(120, 'First organization'),
  timeZone: TimeZone,
  /** The host name where the customer's users open the product. */
  domain: z
    .union([
      z.null(),
      z.literal('').transform(() => null),
      z
        .string()
        .trim()
        .toLowerCase()
        .max(253)
        .regex(
          /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
          'Enter a domain such as cars.example.com, without https://',
        ),
    ])
    .optional(),
  administrator: z.strictObject({
    firstName: line(60, 'First name'),
    lastName: line(60, 'Last name'),
    email: line(254, 'Email').pipe(z.email('Enter a valid email address.')),
    /** Defaults to the email address. */
    userName: line(60, 'User name')
      .regex(/^[\w.@+-]+$/, 'User name can contain only letters, digits and . _ - + @')
      .optional(),
  }),
})
export type NewCustomer = z.input<typeof NewCustomer>

/** A user found across all customers, with only what support needs to identify them. */
export const FoundUser = z.object({
  id: z.string(),
  customerId: z.string(),
  customerName: z.string(),
  fullName: z.string(),
  userName: z.string(),
  email: z.string(),
  state: z.enum(USER_STATES),
  lastSignInAt: Instant.nullable(),
})
export type FoundUser = z.infer<typeof FoundUser>

export const customers = {
  list: endpoint({
    method: 'GET',
    path: '/api/customers/get-customers',
    allow: can(Func.customers, Opr.list),
    summary: 'Lists all customers of the platform. Searches name and domain.',
    input: listQuery(CUSTOMER_LIST),
    output: queriedList(Customer),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/customers/edit-customer/{id}',
    allow: can(Func.customers, Opr.read),
    summary: 'Returns one customer with its organizations, administrator and setup checklist.',
    input: z.strictObject({ id: Id }),
    output: OpenCustomer,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-customer',
    allow: can(Func.customers, Opr.create),
    summary:
      'Creates a customer with its first organization, user types, domain and administrator, and invites the administrator.',
    input: NewCustomer,
    output: OpenCustomer,
    changes: ['/api/customers/get-customers'],
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/customers/set-customer-status',
    allow: can(Func.customers, Opr.administer),
    summary: 'Suspends, closes or reopens a customer. Its sessions end immediately; no data is deleted.',
    input: z
      .strictObject({
        id: Id,
        version: Version,
        status: z.enum(CUSTOMER_STATUSES),
        reason: z.union([z.null(), z.literal('').transform(() => null), line(300, 'Reason')]).optional(),
      })
      .refine(({ status, reason }) => status === 'active' || typeof reason === 'string', {
        path: ['reason'],
        error: 'Enter a reason. It appears next to the status.',
      }),
    output: OpenCustomer,
    changes: ['/api/customers/get-customers'],
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/customers/invite-administrator',
    allow: can(Func.customers, Opr.update),
    summary: "Emails the customer's administrator a new link to set a password.",
    input: z.strictObject({ id: Id }),
    output: OpenCustomer,
    changes: ['/api/customers/get-customers'],
  }),
  revealInvitation: endpoint({
    method: 'POST',
    path: '/api/customers/reveal-invitation',
    allow: can(Func.customers, Opr.administer),
    summary:
      "Returns the latest email to the customer's administrator, including its link. Recorded in the audit log.",
    input: z.strictObject({ id: Id }),
    output: OpenMail,
  }),
  findUsers: endpoint({
    method: 'GET',
    path: '/api/customers/find-people',
    allow: can(Func.customers, Opr.list),
    summary: 'Finds users of all customers by name, user name or email. Returns no users without a search.',
    input: listQuery(FOUND_LIST),
    output: queriedList(FoundUser),
  }),
}
