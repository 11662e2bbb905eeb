import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line, TimeZone, Version } from '#contract/fields.ts'
import { USER_STATES } from '#contract/identity/users/users.ts'
import { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { CUSTOMER_LIST } from './customer-list.ts'
import { FOUND_LIST } from './reachable-user-list.ts'

/** Of a suspended or closed customer nobody may enter; its data stays. */
export const CUSTOMER_STATUSES = ['active', 'suspended', 'closed'] as const

/** A tenant as the platform's staff see it. */
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
  /** When one of its own people last signed in. */
  lastSignInAt: Instant.nullable(),
  createdAt: Instant,
  version: z.number().int(),
})
export type Customer = z.infer<typeof Customer>

/** What a new customer still lacks before its people can work, in the order in which it is done. */
export const CHECKLIST = ['invited', 'entered', 'domain', 'lots', 'people', 'details'] as const

export const OpenCustomer = Customer.extend({
  organizationList: z.array(z.object({ id: z.string(), name: z.string(), timeZone: z.string() })),
  /** Whom the customer was handed to: its first administrator; null when that person is gone. */
  administrator: z
    .object({
      id: z.string(),
      fullName: z.string(),
      email: z.string(),
      userName: z.string(),
      state: z.enum(USER_STATES),
      passwordMailAt: Instant.nullable(),
    })
    .nullable(),
  checklist: z.array(z.object({ step: z.enum(CHECKLIST), isDone: z.boolean() })),
})
export type OpenCustomer = z.infer<typeof OpenCustomer>

/** Everything one form founds in one transaction. */
export const NewCustomer = z.strictObject({
  name: line(120, 'Name'),
  organizationName: line(120, 'First organization'),
  timeZone: TimeZone,
  /** The host name on which the customer's people open the product. */
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
          'This is not a domain. It looks like cars.example.com, without https://',
        ),
    ])
    .optional(),
  administrator: z.strictObject({
    firstName: line(60, 'First name'),
    lastName: line(60, 'Last name'),
    email: z.string().trim().max(254).pipe(z.email('This is not an e-mail address.')),
    /** Without it the e-mail address is the name to sign in with. */
    userName: line(60, 'User name')
      .regex(/^[\w.@+-]+$/, 'User name may have letters, digits and . _ - + @.')
      .optional(),
  }),
})
export type NewCustomer = z.input<typeof NewCustomer>

/** Somebody found across all customers: only what support needs to tell people apart. */
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
    summary: 'Every customer of the platform, searched by name and domain.',
    input: listQuery(CUSTOMER_LIST),
    output: queriedList(Customer),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/customers/edit-customer/{id}',
    allow: can(Func.customers, Opr.read),
    summary: 'One customer with its organizations, its administrator and what is still to do.',
    input: z.strictObject({ id: Id }),
    output: OpenCustomer,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-customer',
    allow: can(Func.customers, Opr.create),
    summary:
      'Founds a customer with its first organization, user types, domain and administrator, and invites them.',
    input: NewCustomer,
    output: OpenCustomer,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/customers/set-customer-status',
    allow: can(Func.customers, Opr.administer),
    summary: 'Suspends, closes or opens a customer again. Its sessions end at once; nothing is deleted.',
    input: z
      .strictObject({
        id: Id,
        version: Version,
        status: z.enum(CUSTOMER_STATUSES),
        reason: z.union([z.null(), z.literal('').transform(() => null), line(300, 'Reason')]).optional(),
      })
      .refine(({ status, reason }) => status === 'active' || typeof reason === 'string', {
        path: ['reason'],
        error: 'Give a reason: it stands in the list for whoever asks later.',
      }),
    output: OpenCustomer,
  }),
  invite: endpoint({
    method: 'POST',
    path: '/api/customers/invite-administrator',
    allow: can(Func.customers, Opr.update),
    summary: "Mails the customer's administrator the link to set a password, once more.",
    input: z.strictObject({ id: Id }),
    output: OpenCustomer,
  }),
  revealInvitation: endpoint({
    method: 'POST',
    path: '/api/customers/reveal-invitation',
    allow: can(Func.customers, Opr.administer),
    summary: "The latest mail to the customer's administrator with its link. Noted in the audit log.",
    input: z.strictObject({ id: Id }),
    output: OpenMail,
  }),
  findUsers: endpoint({
    method: 'GET',
    path: '/api/customers/find-people',
    allow: can(Func.customers, Opr.list),
    summary: 'People of every customer by name, user name or e-mail; without a search nobody.',
    input: listQuery(FOUND_LIST),
    output: queriedList(FoundUser),
  }),
}
