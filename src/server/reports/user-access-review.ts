import { sql } from 'kysely'
import { USER_LIST, users } from '#contract/identity/users/users.ts'
import { permissionText } from '#contract/permission-text.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { userStatus } from '#server/identity/index.ts'
import type { ReportContent, ReportSource } from './report.ts'

type Difference = { func: number; opr: number; isAllowed: boolean }
type ReviewedUser = {
  name: string
  userName: string
  email: string
  type: string
  reach: 'organization' | 'customer'
  organizations: string
  state: 'active' | 'invited' | 'off'
  isSuper: boolean
  differences: Difference[]
  lastSignIn: string | null
  passwordMail: string | null
}
type ReviewedOrganization = { customer: string; organization: string; zone: string; now: string }

/** Who can sign in, and what they can do. Auditors ask for it quarterly. */
export const userAccessReview: ReportSource = {
  name: 'user-access-review',
  title: 'User access review',
  about:
    'Every user you have access to, with user type, organizations, individual permissions and last sign-in, for access reviews.',
  // It lists every user's individual permissions.
  needs: users.permissions.allow,
  async read({ db, actor }): Promise<ReportContent> {
    const organization = await readOrganization(db, actor)
    const reviewed = await readUsers(db, actor, organization.zone)
    return {
      title: 'User access review',
      facts: [
        { title: 'Customer', value: organization.customer },
        {
          title: 'Users of',
          value: actor.reach === 'customer' ? 'all organizations' : organization.organization,
        },
        { title: 'Created', value: `${organization.now} (${organization.zone})` },
        { title: 'By', value: madeBy(actor) },
      ],
      figures: figuresOf(reviewed),
      columns: [
        { title: 'Name', kind: 'text', share: 16 },
        { title: 'User name and email', kind: 'text', share: 20 },
        { title: 'Organizations', kind: 'text', share: 18 },
        { title: 'Status', kind: 'text', share: 9 },
        { title: 'Individual permissions', kind: 'text', share: 23 },
        { title: 'Last sign-in', kind: 'text', share: 10 },
        { title: 'Password email', kind: 'text', share: 10 },
      ],
      groups: [...Map.groupBy(reviewed, groupOf)].map(([title, members]) => ({
        title: `${title}, ${members.length === 1 ? '1 user' : `${members.length} users`}`,
        rows: members.map(toRow),
      })),
      signature: 'Reviewed by (name, date, signature)',
    }
  },
}

const madeBy = (actor: Member): string =>
  actor.userId === actor.effectiveUserId ? actor.fullName : `${actor.fullName} as ${actor.effectiveFullName}`

function groupOf({ type, reach }: ReviewedUser): string {
  return `${type} (${reach === 'customer' ? 'whole customer' : 'own organization'})`
}

const NEVER = 'Never'

function toRow(user: ReviewedUser): string[] {
  const { differences } = user
  const permissions = differences.map(
    (one) => `${one.isAllowed ? 'Allowed' : 'Denied'}: ${permissionText(one)}`,
  )
  return [
    user.isSuper ? `${user.name} (super user)` : user.name,
    `${user.userName}\n${user.email}`,
    user.organizations || 'None',
    stateLabel(user.state),
    permissions.length === 0
      ? 'Same as user type'
      : `${permissions.length} individual\n${permissions.join('\n')}`,
    user.lastSignIn ?? NEVER,
    user.passwordMail ?? NEVER,
  ]
}

function stateLabel(state: ReviewedUser['state']): string {
  return USER_LIST.fields.state.choices?.find(({ value }) => value === state)?.label ?? state
}

function figuresOf(reviewed: readonly ReviewedUser[]): ReportContent['figures'] {
  const count = (is: (user: ReviewedUser) => boolean): string => String(reviewed.filter(is).length)
  return [
    { title: 'Users', value: String(reviewed.length) },
    { title: 'Active', value: count(({ state }) => state === 'active') },
    { title: 'Invited', value: count(({ state }) => state === 'invited') },
    { title: 'Deactivated', value: count(({ state }) => state === 'off') },
    { title: 'Reach the whole customer', value: count(({ reach }) => reach === 'customer') },
    { title: 'Super users', value: count(({ isSuper }) => isSuper) },
    { title: 'With individual permissions', value: count(({ differences }) => differences.length > 0) },
    { title: 'Never signed in', value: count(({ lastSignIn }) => lastSignIn === null) },
  ]
}

async function readOrganization(db: Database, actor: Member): Promise<ReviewedOrganization> {
  const { rows } = await sql<ReviewedOrganization>`
    select c.name as customer, o.name as organization, o.time_zone as zone,
      to_char(app_now() at time zone o.time_zone, 'YYYY-MM-DD HH24:MI') as now
    from organizations o join customers c on c.id = o.customer_id
    where o.customer_id = ${actor.customerId} and o.id = ${actor.organizationId}`.execute(db)
  const [organization] = rows
  if (organization === undefined) throw new Error('The current organization was not found.')
  return organization
}

async function readUsers(db: Database, actor: Member, zone: string): Promise<ReviewedUser[]> {
  const moment = (name: string) =>
    sql`to_char(${sql.ref(name)} at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI')`
  const { rows } = await sql<ReviewedUser>`
    select u.first_name || ' ' || u.last_name as name, u.user_name, u.email, t.name as type, t.reach, u.is_super,
      ${userStatus} as state, ${moment('a.last_sign_in_at')} as last_sign_in,
      ${moment('a.password_mail_at')} as password_mail,
      coalesce((select string_agg(o.name, ', ' order by o.name_key)
        from memberships m join organizations o on o.customer_id = m.customer_id and o.id = m.organization_id
        where m.customer_id = u.customer_id and m.user_id = u.id), '') as organizations,
      coalesce((select json_agg(json_build_object('func', p.func, 'opr', p.opr, 'isAllowed', p.is_allowed)
        order by p.is_allowed desc, p.func, p.opr)
        from user_permissions p where p.customer_id = u.customer_id and p.user_id = u.id), '[]') as differences
    from users u
    join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
    left join user_access a on a.customer_id = u.customer_id and a.user_id = u.id
    where u.customer_id = ${actor.customerId}
    order by t.name_key, t.id, lower(u.last_name || ' ' || u.first_name), u.id`.execute(db)
  return rows
}
