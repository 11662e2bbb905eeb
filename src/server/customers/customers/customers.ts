import { scopeOf } from '#server/http/scope-of.ts'
import { sql } from 'kysely'
import { CHECKLIST, type customers, type OpenCustomer } from '#contract/customers/customers/customers.ts'
import { actAs, type AsOwner, type TenantScope } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, notFound, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import {
  invite,
  productUrl,
  userStatus,
  refuseWhileImpersonating,
  revealLatestMail,
  type Identity,
} from '#server/identity/index.ts'
import { addCustomer } from './add-customer.ts'
import { listCustomers, shown } from './customer-list.ts'
import { findUsers } from './find-users.ts'
import { setStatus } from './set-status.ts'

/**
 * The tenants, for platform staff. These endpoints don't run inside a tenant: identity's connection reads across customers,
 * and the owner's connection creates and closes them.
 */
export function customerHandlers(identity: Identity, asOwner: AsOwner): Handlers<typeof customers> {
  const { iam } = identity
  /** @throws Failure 403 for the platform's own customer: its administrator's link would grant more than the caller holds. */
  const administratorOf = async (actor: Member, customerId: string) => {
    const { administrator, isPlatform } = await openCustomer(identity, customerId)
    if (isPlatform) throw forbidden("To email the platform's own users, go to the Users page.")
    refuseWhileImpersonating(actor)
    if (administrator === null) throw notFound('Administrator')
    return { customerId, userId: administrator.id, state: administrator.state }
  }
  return {
    list: ({ actor, input }) => listCustomers(iam, actor, input),
    get: ({ input }) => openCustomer(identity, input.id),
    findUsers: ({ actor, input }) => findUsers(iam, actor, input),

    async add({ actor, input }) {
      const id = await asOwner(async (db) => {
        await actAs(db, scopeWithoutTenant(actor, 'customers.add'))
        return addCustomer(identity, db, actor, input)
      })
      return openCustomer(identity, id)
    },

    async setStatus({ actor, input }) {
      const isDone = await asOwner(async (db) => {
        await actAs(db, scopeWithoutTenant(actor, 'customers.setStatus'))
        return setStatus(db, actor, input)
      })
      const current = await openCustomer(identity, input.id)
      if (!isDone) throw stale('This customer', current)
      return current
    },

    async invite({ actor, input }) {
      await invite(identity, iam, await administratorOf(actor, input.id), actor)
      return openCustomer(identity, input.id)
    },

    async revealInvitation({ actor, input }) {
      const of = await administratorOf(actor, input.id)
      if (of.state !== 'invited') {
        throw forbidden('This user already has a password, so only they can see this email.')
      }
      return revealLatestMail(identity, of, actor)
    },
  }
}

/** Rows carry their own customer ID; the audit log gets the user. */
function scopeWithoutTenant(actor: Member, endpoint: string): TenantScope {
  const own = scopeOf(actor, { endpoint, isReadOnly: false })
  return { ...own, customerId: '', organizationId: null, reach: 'customer' }
}

type Opened = Omit<OpenCustomer, 'checklist' | 'address'> & {
  /** The verified domain where links of emails go. */
  officeDomain: string | null
  hasContacts: boolean
  hasVerifiedDomain: boolean
  /** A mail server accepted an email with a link for the administrator. */
  isInvited: boolean
}

/** @throws Failure 404 when there is no such customer. */
async function openCustomer(identity: Identity, id: string): Promise<OpenCustomer> {
  const { rows } = await sql<Opened>`
    select ${shown}, jsonb_array_length(c.contacts) > 0 as has_contacts,
      exists (select from white_labels w where w.customer_id = c.id and w.verified_at is not null) as has_verified_domain,
      (select w.domain from white_labels w where w.customer_id = c.id and w.purpose = 'office' and w.verified_at is not null
        order by w.id limit 1) as office_domain,
      exists (select from outbox_mails m where m.customer_id = c.id and m.user_id = c.administrator_id
        and m.has_secret and m.state = 'sent') as is_invited,
      coalesce((select json_agg(json_build_object('id', o.id::text, 'name', o.name, 'timeZone', o.time_zone) order by o.name)
        from organizations o where o.customer_id = c.id), '[]') as organization_list,
      (select json_build_object('id', u.id::text, 'fullName', u.first_name || ' ' || u.last_name, 'email', u.email,
          'userName', u.user_name, 'passwordMailAt', a.password_mail_at,
          'passwordMailState', (select m.state from outbox_mails m where m.customer_id = u.customer_id and m.user_id = u.id
            and m.has_secret order by m.id desc limit 1),
          'state', ${userStatus})
        from users u left join user_access a on a.customer_id = u.customer_id and a.user_id = u.id
        where u.customer_id = c.id and u.id = c.administrator_id) as administrator
    from customer_figures(array[${id}::bigint]) f join customers c on c.id = f.customer_id`.execute(
    identity.iam,
  )
  const [row] = rows
  if (row === undefined) throw notFound('Customer')
  const { hasContacts, hasVerifiedDomain, isInvited, officeDomain, ...customer } = row
  const isDone: Record<(typeof CHECKLIST)[number], boolean> = {
    // A link can also be handed over in another way.
    invited: isInvited || customer.lastSignInAt !== null,
    entered: customer.lastSignInAt !== null,
    domain: hasVerifiedDomain,
    lots: customer.lots > 0,
    people: customer.people > 1,
    details: hasContacts,
  }
  const address = productUrl(identity, officeDomain)
  return { ...customer, address, checklist: CHECKLIST.map((step) => ({ step, isDone: isDone[step] })) }
}
