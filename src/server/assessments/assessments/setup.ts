import { sql } from 'kysely'
import {
  type assessmentSetup,
  MOST_PLACES,
  type PlaceChoice,
  type QuestionnaireChoice,
} from '#contract/assessments/assessments/setup.ts'
import type { BulkResult, TargetPerson } from '#contract/assessments/targets/targets.ts'
import type { Received } from '#contract/endpoint.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Handlers } from '#server/http/serve.ts'
import { findUndeliverable, type Identity } from '#server/identity/index.ts'
import { contains } from '#server/lists/contains.ts'
import { requireReach } from '#server/organizations/index.ts'
import { readPinnedVersion } from '../targets/pinned-version.ts'
import { readAssessment } from './assessment-rows.ts'
import { MAY_ANSWER } from '../targets/find-unanswerable.ts'
import { countOpeningEmails } from '../targets/notify-opened.ts'
import { setPeople } from '../targets/target-people.ts'
import { lockOwnTargets } from '../targets/targets.ts'

const MAY_REVIEW = [can(Func.review, Opr.read), can(Func.review, Opr.update), can(Func.review, Opr.execute)]

/** What can be chosen while an assessment is set up. Row level security limits it to the caller's reach. */
export function assessmentSetupHandlers(identity: Identity): Handlers<typeof assessmentSetup> {
  return {
    questionnaires: ({ db }) => readQuestionnaires(db),

    places: ({ db, input: { id, search = '' } }) => readPlaces(db, id, search),

    async users({ actor, inTenant, input: { organization: organizationId } }) {
      const { customerId } = actor
      const users = await inTenant(async (db) => {
        await requireReach(db, actor, organizationId)
        return readUsers(db, organizationId)
      })
      const userIds = users.map(({ id }) => id)
      const reasons = (needs: typeof MAY_REVIEW) =>
        findUndeliverable(identity, { customerId, organizationId, userIds, needs })
      const answering = await reasons([...MAY_ANSWER])
      const reviewing = await reasons(MAY_REVIEW)
      return users.map((user) => ({
        ...user,
        problem: answering.get(user.id) ?? null,
        canReview: !reviewing.has(user.id),
      }))
    },

    async emails({ actor, inTenant, input: { id } }) {
      await inTenant((db) => readAssessment(db, id))
      return countOpeningEmails(identity, inTenant, { customerId: actor.customerId, assessmentId: id })
    },

    addPerson: ({ db, input }) => addPersonToTargets(db, input),

    async sections({ db, actor, input: { id } }) {
      const { questionnaireId, questionnaireNumber: number } = await readAssessment(db, id)
      const { compiled } = await readPinnedVersion(db, {
        customerId: actor.customerId,
        questionnaireId,
        number,
      })
      const { sections, languages } = compiled.definition
      const [language = 'en'] = languages
      return sections.map((section) => ({
        id: section.id,
        title: textIn(section.title, language, languages) || section.id,
      }))
    },
  }
}

/**
 * Adds a user to targets with a role. An owner stays the owner.
 * @throws Failure 400 for an unknown user, 403 if another organization runs the assessment, 404
 */
async function addPersonToTargets(
  db: Database,
  { ids, userId, role }: Received<typeof assessmentSetup.addPerson>,
): Promise<BulkResult> {
  const targets = await lockOwnTargets(db, ids)
  const result: BulkResult = { changed: [], left: [] }
  for (const target of targets) {
    const listed = target.people.find((person) => person.userId === userId)
    if (listed?.role === 'owner' || listed?.role === role) {
      result.left.push({
        targetId: target.id,
        name: target.name,
        reason: `They are ${ROLE_NAMES[listed.role]} already.`,
      })
      continue
    }
    const others = target.people.filter((person) => person !== listed)
    // Each target has its own people; there are at most 500.
    // oxlint-disable-next-line no-await-in-loop
    await setPeople(db, target, [...others.map(toNewPerson), { userId, role }])
    result.changed.push(target.id)
  }
  return result
}

const ROLE_NAMES = {
  owner: 'the owner',
  contributor: 'a contributor',
  reader: 'a reader',
  reviewer: 'a reviewer',
}

const toNewPerson = ({ role, userId, participantId, isDelegate }: TargetPerson) => ({
  role,
  isDelegate,
  ...(userId !== null && { userId }),
  ...(participantId !== null && { participantId }),
})

type ChoiceRow = Omit<QuestionnaireChoice, 'versions'> & {
  versions: (Omit<QuestionnaireChoice['versions'][number], 'editions'> & {
    languages: string[]
    editions: NonNullable<Definition['editions']>
  })[]
}

async function readQuestionnaires(db: Database): Promise<QuestionnaireChoice[]> {
  const { rows } = await sql<ChoiceRow>`
    select q.id::text, q.name, o.name as organization_name, (select json_agg(json_build_object('number', v.number,
        'questions', v.question_count, 'publishedAt', to_json(v.published_at), 'editions', coalesce(v.definition -> 'editions', '[]'),
        'languages', v.definition -> 'languages', 'hasSizes', jsonb_path_exists(v.definition, '$.sections[*].questions[*].obligations[*].sizes')) order by v.number desc)
      from questionnaire_versions v where v.customer_id = q.customer_id and v.questionnaire_id = q.id) as versions
    from questionnaires q left join organizations o on o.customer_id = q.customer_id and o.id = q.organization_id
    where q.status = 'published' order by q.name_key`.execute(db)
  return rows.map((row) => ({
    ...row,
    versions: row.versions.map(({ languages, editions, publishedAt, ...version }) => ({
      ...version,
      publishedAt: new Date(publishedAt).toISOString(),
      editions: editions.map(({ code, title }) => ({
        value: code,
        label: textIn(title, languages[0] ?? 'en', languages) || code,
      })),
    })),
  }))
}

/**
 * Organizations with their facilities in the order of the tree's levels, except those closed before the assessment opens.
 * @throws Failure 404
 */
async function readPlaces(
  db: Database,
  id: string,
  search: string,
): Promise<{ places: PlaceChoice[]; total: number }> {
  const { opensOn } = await readAssessment(db, id)
  const matches =
    search === ''
      ? sql<boolean>`true`
      : contains([sql.ref('p.name'), sql.ref('p.organization_name'), sql.ref('p.city')], search)
  const { rows } = await sql<PlaceChoice & { total: number }>`
    with p as (
      select o.customer_id, o.id as organization_id, o.name as organization_name, null::bigint as facility_id, o.name, null as level,
        null as type, null as city from organizations o
        where current_setting('app.reach', true) = 'customer'
          or o.id = nullif(current_setting('app.organization_id', true), '')::bigint
      union all
      select f.customer_id, f.organization_id, o.name, f.id, f.name, f.level, f.type, f.city from facilities f
      join organizations o on o.customer_id = f.customer_id and o.id = f.organization_id
      where f.level <> 'meter' and (f.closed_on is null or f.closed_on >= ${opensOn}::date))
    select p.organization_id::text, p.organization_name, p.facility_id::text, p.name, p.level, p.type, p.city,
      exists (select from assessment_targets t where t.customer_id = p.customer_id and t.assessment_id = ${id}
        and t.organization_id = p.organization_id and t.facility_id is not distinct from p.facility_id) as is_target,
      count(*) over ()::int as total
    from p where ${matches}
    order by lower(p.organization_name), p.organization_id, p.facility_id is not null,
      array_position(array['group', 'entity', 'site', 'building'], p.level), lower(p.name), p.facility_id
    limit ${MOST_PLACES}`.execute(db)
  return { places: rows.map(toPlace), total: rows[0]?.total ?? 0 }
}

const toPlace = (row: PlaceChoice): PlaceChoice => {
  const { organizationId, organizationName, facilityId, name, level, type, city, isTarget } = row
  return { organizationId, organizationName, facilityId, name, level, type, city, isTarget }
}

type User = { id: string; name: string; email: string }

/** Active members, by name. @throws Failure 404 for an organization out of reach */
async function readUsers(db: Database, organizationId: string): Promise<User[]> {
  const { rows } = await sql<User>`
    select u.id::text, u.first_name || ' ' || u.last_name as name, u.email from memberships m
    join users u on u.customer_id = m.customer_id and u.id = m.user_id
    where m.organization_id = ${organizationId} and u.is_active
    order by lower(u.last_name), lower(u.first_name), u.id limit 2000`.execute(db)
  return rows
}
