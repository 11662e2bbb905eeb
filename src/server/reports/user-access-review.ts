import { sql } from 'kysely'
import { USER_LIST } from '#contract/identity/users/user-list.ts'
import { users } from '#contract/identity/users/users.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { inWords, userStatus } from '#server/identity/index.ts'
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

/** Who may come in, and what they may do: what auditors ask for once a quarter. */
export const userAccessReview: ReportSource = {
  name: 'user-access-review',
  title: 'User access review',
  about:
    'Every person in reach with user type, organizations, own permissions and last sign-in, for whoever reviews access.',
  // It tells everybody's own permissions.
  needs: users.permissions.allow,
  async read({ db, actor }): Promise<ReportContent> {
    const place = await readPlace(db, actor)
    const people = await readUsers(db, actor, place.zone)
    return {
      title: 'User access review',
      facts: [
        { title: 'Customer', value: place.customer },
        {
          title: 'People of',
          value: actor.reach === 'customer' ? 'all organizations' : place.organization,
        },
        { title: 'Made', value: `${place.now} (${place.zone})` },
        { title: 'By', value: madeBy(actor) },
      ],
      figures: figuresOf(people),
      columns: [
        { title: 'Name', kind: 'text', share: 16 },
        { title: 'User name and e-mail', kind: 'text', share: 20 },
        { title: 'Organizations', kind: 'text', share: 18 },
        { title: 'State', kind: 'text', share: 9 },
        { title: 'Own permissions', kind: 'text', share: 23 },
        { title: 'Last sign-in', kind: 'text', share: 10 },
        { title: 'Password mail', kind: 'text', share: 10 },
      ],
      groups: [...Map.groupBy(people, groupOf)].map(([title, members]) => ({
        title: `${title}, ${members.length === 1 ? '1 person' : `${members.length} people`}`,
        rows: members.map(tell),
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

function tell(person: ReviewedUser): string[] {
  const { differences } = person
  const words = differences.map((one) => `${one.isAllowed ? 'Allowed' : 'Denied'}: ${inWords(one)}`)
  return [
    person.isSuper ? `${person.name} (super user)` : person.name,
    `${person.userName}\n${person.email}`,
    person.organizations || 'None',
    stateLabel(person.state),
    words.length === 0 ? 'As the user type' : `${words.length} of their own\n${words.join('\n')}`,
    person.lastSignIn ?? NEVER,
    person.passwordMail ?? NEVER,
  ]
}

function stateLabel(state: ReviewedUser['state']): string {
  return USER_LIST.fields.state.choices?.find(({ value }) => value === state)?.label ?? state
}

function figuresOf(people: readonly ReviewedUser[]): ReportContent['figures'] {
  const count = (is: (person: ReviewedUser) => boolean): string => String(people.filter(is).length)
  return [
    { title: 'People', value: String(people.length) },
    { title: 'Active', value: count(({ state }) => state === 'active') },
    { title: 'Invited', value: count(({ state }) => state === 'invited') },
    { title: 'Switched off', value: count(({ state }) => state === 'off') },
    { title: 'Reach the whole customer', value: count(({ reach }) => reach === 'customer') },
    { title: 'Super users', value: count(({ isSuper }) => isSuper) },
    { title: 'With own permissions', value: count(({ differences }) => differences.length > 0) },
    { title: 'Never signed in', value: count(({ lastSignIn }) => lastSignIn === null) },
  ]
}

async function readPlace(db: Database, actor: Member): Promise<ReviewedOrganization> {
  const { rows } = await sql<ReviewedOrganization>`
    select c.name as customer, o.name as organization, o.time_zone as zone,
      to_char(app_now() at time zone o.time_zone, 'YYYY-MM-DD HH24:MI') as now
    from organizations o join customers c on c.id = o.customer_id
    where o.customer_id = ${actor.customerId} and o.id = ${actor.organizationId}`.execute(db)
  const [place] = rows
  if (place === undefined) throw new Error('The organization acted in is not there.')
  return place
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
