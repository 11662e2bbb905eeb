import { sql } from 'kysely'
import type { Member } from '#server/http/actor.ts'
import type { Identity } from '../identity.ts'
import { mayStillImpersonate } from './impersonation-rules.ts'

/** A user working without a session: who, impersonating whom, and where. */
export type Membership = {
  customerId: string
  organizationId: string
  actorCustomerId: string
  actorUserId: string
  effectiveCustomerId: string
  effectiveUserId: string
}

type Row = {
  actorUserName: string
  actorFullName: string
  actorIsActive: boolean
  userName: string
  fullName: string
  isActive: boolean
  userTypeId: string
  reach: 'organization' | 'customer'
  isSuper: boolean
  isPlatform: boolean
  isHomeOpen: boolean
  isCustomerOpen: boolean
  organizationName: string
  timeZone: string
  isMember: boolean
  permissionsVersion: string
}

/**
 * A user with their current permissions, access and memberships, for background work after they have left.
 * @returns a sentence if they may no longer work there.
 */
export async function readMember(
  { iam, rightsOf }: Pick<Identity, 'iam' | 'rightsOf'>,
  of: Membership,
): Promise<Member | string> {
  const { rows } = await sql<Row>`
    select a.user_name as actor_user_name, a.first_name || ' ' || a.last_name as actor_full_name,
      a.is_active as actor_is_active, e.user_name, e.first_name || ' ' || e.last_name as full_name, e.is_active,
      e.user_type_id, t.reach, e.is_super and home.is_platform as is_super, home.is_platform,
      home.status = 'active' as is_home_open, acting.status = 'active' as is_customer_open, o.name as organization_name,
      o.time_zone,
      home.is_platform or exists (select from memberships m where m.customer_id = e.customer_id and m.user_id = e.id
        and m.organization_id = o.id and m.customer_id = o.customer_id) as is_member,
      coalesce(v.version, 0) as permissions_version
    from users a
    join users e on e.customer_id = ${of.effectiveCustomerId} and e.id = ${of.effectiveUserId}
    join user_types t on t.customer_id = e.customer_id and t.id = e.user_type_id
    join customers home on home.id = e.customer_id
    join customers acting on acting.id = ${of.customerId}
    join organizations o on o.customer_id = acting.id and o.id = ${of.organizationId}
    left join iam.permission_versions v on v.customer_id = e.customer_id
    where a.customer_id = ${of.actorCustomerId} and a.id = ${of.actorUserId}`.execute(iam)
  const [row] = rows
  if (row === undefined) return 'The user who started this no longer exists.'
  const reason = whyNoAccess(row)
  if (reason !== null) return reason
  if (of.actorUserId !== of.effectiveUserId && !(await mayStillImpersonate({ iam, rightsOf }, of, of))) {
    return `${row.actorFullName} can no longer impersonate ${row.fullName}.`
  }
  const rights = await rightsOf({
    customerId: of.effectiveCustomerId,
    userId: of.effectiveUserId,
    userTypeId: row.userTypeId,
    isSuper: row.isSuper,
    isPlatform: row.isPlatform,
    version: row.permissionsVersion,
  })
  return {
    sessionId: '',
    isVerified: true,
    userId: of.actorUserId,
    userName: row.actorUserName,
    fullName: row.actorFullName,
    userCustomerId: of.actorCustomerId,
    effectiveUserId: of.effectiveUserId,
    effectiveUserName: row.userName,
    effectiveFullName: row.fullName,
    effectiveCustomerId: of.effectiveCustomerId,
    impersonation: null,
    userTypeId: row.userTypeId,
    customerId: of.customerId,
    organizationId: of.organizationId,
    organizationName: row.organizationName,
    timeZone: row.timeZone,
    reach: row.reach,
    isPlatformStaff: row.isPlatform,
    permissions: rights.permissions,
    permissionsVersion: row.permissionsVersion,
    may: rights.may,
  }
}

function whyNoAccess(row: Row): string | null {
  if (!row.actorIsActive) return `${row.actorFullName} can no longer sign in.`
  if (!row.isActive) return `${row.fullName} can no longer sign in.`
  if (!row.isHomeOpen || !row.isCustomerOpen) return 'The customer is suspended.'
  return row.isMember ? null : `${row.fullName} is no longer a member of ${row.organizationName}.`
}
