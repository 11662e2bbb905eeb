import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { type facilities, type Facility } from '#contract/organizations/facilities/facilities.ts'
import {
  findMismatches,
  type Level,
  canBeIn,
  MAX_FACILITIES,
} from '#contract/organizations/facilities/facility-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isArchivedOrganization, isViolation } from '#server/database/violations.ts'
import { conflict, refused } from '#server/http/failure.ts'
import { readFacility } from './facility-rows.ts'

type New = Received<typeof facilities.add> & { organizationId: string }
type Change = Omit<Received<typeof facilities.update>, 'id' | 'version'>
type FacilityInput = Pick<Change, 'parentId' | 'lotId'> & { organizationId: string; level: Level }

/**
 * Adds a facility with its rows of ownership and control, in the tenant of the transaction.
 * @throws Failure 409 if another facility has the same code or lot, 400 if fields contradict each other.
 */
export async function addFacility(db: Database, { control, ...facility }: New): Promise<Facility> {
  refuseMismatches({ ...facility, control })
  const parentLevel = await levelOfParent(db, facility)
  await assertLotExists(db, facility)
  const { count } = await db
    .selectFrom('facilities')
    .where('organizationId', '=', facility.organizationId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_FACILITIES) {
    throw conflict(`An organization can have at most ${MAX_FACILITIES.toLocaleString('en')} facilities.`)
  }
  const { id } = await explainRefusal(
    db
      .insertInto('facilities')
      .values({ ...facility, parentLevel })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await writeControl(db, { id, organizationId: facility.organizationId }, control)
  return readFacility(db, id)
}

/** Changes the given fields of a facility whose row is already locked. @throws as `addFacility` */
export async function changeFacility(db: Database, current: Facility, change: Change): Promise<Facility> {
  const { control, ...columns } = change
  const { id, organizationId } = current
  const level = columns.level ?? current.level
  const changed = { ...current, ...columns, level, control: control ?? current.control }
  refuseMismatches(changed)
  const parentLevel = await levelOfParent(db, changed)
  if (columns.lotId !== undefined && columns.lotId !== current.lotId) await assertLotExists(db, changed)
  await explainRefusal(
    db
      .updateTable('facilities')
      // Updated even if only the rows of control change, because they are part of the facility.
      .set({ ...columns, parentLevel, updatedAt: sql`app_now()` })
      .where('id', '=', id)
      .execute(),
  )
  if (control) await writeControl(db, { id, organizationId }, control)
  return readFacility(db, id)
}

function refuseMismatches(facility: Parameters<typeof findMismatches>[0]): void {
  const fields = findMismatches(facility)
  if (Object.keys(fields).length > 0) throw refused('Some fields are invalid.', fields)
}

/** The level of the parent. From then on a foreign key keeps it consistent. */
async function levelOfParent(
  db: Database,
  { parentId, level, organizationId }: Pick<FacilityInput, 'parentId' | 'level' | 'organizationId'>,
): Promise<Level | null> {
  if (!parentId) return null
  const above = await db
    .selectFrom('facilities')
    .select(['level', 'name'])
    .where('id', '=', parentId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (above === undefined) throw wrongParent('Choose a facility of this organization.')
  if (!canBeIn(level, above.level)) {
    throw wrongParent(
      `Choose a parent above the ${level} level. ${above.name} is at the ${above.level} level.`,
    )
  }
  return above.level
}

const wrongParent = (sentence: string) => refused('Some fields are invalid.', { parentId: sentence })

async function assertLotExists(
  db: Database,
  { lotId, organizationId }: Pick<FacilityInput, 'lotId' | 'organizationId'>,
): Promise<void> {
  if (!lotId) return
  const lot = await db
    .selectFrom('lots')
    .select('id')
    .where('id', '=', lotId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (lot === undefined) {
    throw refused('Some fields are invalid.', { lotId: 'Choose a lot of this organization.' })
  }
}

/** Replaces the rows of control. Unchanged rows aren't written, so they leave no entry in the audit log. */
async function writeControl(
  db: Database,
  { id, organizationId }: { id: string; organizationId: string },
  control: Received<typeof facilities.add>['control'],
): Promise<void> {
  await db
    .deleteFrom('facilityControl')
    .where('facilityId', '=', id)
    .where(
      'validFrom',
      'not in',
      control.map(({ validFrom }) => validFrom),
    )
    .execute()
  await db
    .insertInto('facilityControl')
    .values(control.map((row) => ({ ...row, facilityId: id, organizationId })))
    .onConflict((on) =>
      on.columns(['customerId', 'facilityId', 'validFrom']).doUpdateSet((eb) => ({
        ownership: eb.ref('excluded.ownership'),
        operationalControl: eb.ref('excluded.operationalControl'),
        financialControl: eb.ref('excluded.financialControl'),
      })),
    )
    .execute()
}

/** Turns constraint violations of the database into messages for the form. */
async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    const key = brokenKey(error)
    if (key?.includes('lot_id')) {
      throw conflict('Another facility is linked to this lot.', {
        lotId: 'This lot is already linked to a facility.',
      })
    }
    if (key !== null) {
      throw conflict('Another facility already has this code.', { code: 'This code is already in use.' })
    }
    if (isViolation(error, 'check') && !isArchivedOrganization(error)) {
      throw refused('Some fields are invalid.', {
        level: 'This level is too low for the facilities below it. Move them first.',
      })
    }
    if (isViolation(error, 'foreign key')) {
      throw conflict('The parent facility or the lot has changed in the meantime. Try again.')
    }
    throw error
  }
}
