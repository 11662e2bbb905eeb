import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { createUser, makePasswords } from '#server/identity/index.ts'
import { addLink } from '#server/identity/passwords/password-links.ts'
import { DEMO_PASSWORD } from '../../demo/world.ts'
import type { TestApp } from '#test/app.ts'
import { REQUEST } from '#test/factories/carbon/request-row.ts'
import { rememberHashes } from '#test/harness/remember-passwords.ts'

/** An organization of the demo data, with functions that add rows directly to its database. */
export type TestOrganization = {
  customerId: string
  organizationId: string
  addLot: (name?: string) => Promise<string>
  /** A vehicle on a new lot, or on the given one. */
  addVehicle: (columns?: Readonly<Record<string, string | number | null>>) => Promise<string>
  removeVehicle: (id: string) => Promise<void>
  /** A new, empty customer. */
  addCustomer: () => Promise<string>
  /** A new organization of the same customer. */
  addOrganization: (name?: string) => Promise<string>
  /** A user with one of the customer's user types who is a member of this organization only. */
  addMember: (user: { userName: string; userType: string; firstName?: string }) => Promise<string>
  /** A user without a password, by default a participant. */
  createUser: (userType?: string) => Promise<string>
  /** The ID of a user type of the customer, by name. */
  userType: (name: string) => Promise<string>
  /** A user type below another one, without permissions. */
  addUserType: (name?: string, parent?: string) => Promise<string>
  /** An email that failed, to a recipient who is not a user. */
  addMail: (subject?: string) => Promise<string>
  /** A provider mapping without fields. */
  addMapping: (name?: string) => Promise<string>
  /** A feed source of this organization, for uploads. */
  addFeedSource: () => Promise<string>
  /** A feed run without rows, by default with status ready. */
  addFeedRun: (status?: string) => Promise<string>
  /** An email handler that is not the default. */
  addHandler: (kind?: 'outbox' | 'postmark') => Promise<string>
  /** A channel whose file partners download. */
  addChannel: () => Promise<string>
  /** A data mapping from a body value to SUV. */
  addValueMapping: (raw?: string) => Promise<string>
  /** An unmapped body value with the suggestion SUV. */
  addUnmapped: (raw?: string) => Promise<string>
  /** A dealer ID that is not linked to a lot. */
  addUnmatched: (dealerId?: string) => Promise<string>
  /** A suppressed email address. */
  addSuppressed: (email?: string) => Promise<string>
  /** A wholly owned site, or a facility with these columns. */
  addFacility: (columns?: Readonly<Record<string, string | null>>) => Promise<string>
  /** An inventory for an unused year. */
  addInventory: (status?: 'draft' | 'locked') => Promise<string>
  /** A site included in an inventory. */
  addChosenFacility: (inventoryId: string) => Promise<string>
  /** An emission source at a facility. */
  addSource: (inventoryId: string, facilityId: string) => Promise<string>
  /** A custom emission source without assignments, removed if wanted. */
  addCustomSource: (name?: string, isRemoved?: boolean) => Promise<string>
  /** A record in a new inventory, with a made-up result. */
  addRecord: (status?: 'draft' | 'submitted') => Promise<{
    inventoryId: string
    sourceId: string
    recordId: string
    resultId: string
    instrumentId: string
    importId: string
    evidenceId: string
    requestId: string
    day: string
  }>
  /** An imported total in an open inventory. */
  addImported: () => Promise<{ inventoryId: string; batchId: string }>
  /** A custom emission factor of this organization. */
  addFactor: () => Promise<string>
  /** A factor edition that the customer imported. */
  addDataset: () => Promise<string>
  /** A verified domain. */
  addDomain: () => Promise<string>
  /** A completed job of a user of this organization. */
  addJob: () => Promise<string>
  /** A view of the job list, shared with this organization. */
  addView: (name?: string) => Promise<string>
  /** An open session of a user. */
  addSession: (userId: string) => Promise<string>
  /** An audit log entry about a lot of this organization. */
  addAuditEntry: (name?: string) => Promise<string>
  /** The secret of an emailed link for a new user's first password. */
  addPasswordLink: () => Promise<string>
  /** The token of another user's active session. */
  token: () => Promise<string>
}

let count = 0
/** The year of the last inventory added to each test app, because there can be only one per year. */
const inventoryYears = new WeakMap<TestApp, number>()
/** A name that is unique in this file. */
export const fresh = (word: string): string => `${word} ${(count += 1)}`

const passwords = rememberHashes(makePasswords(2))

export async function testOrganization(forecourt: TestApp, organization: string): Promise<TestOrganization> {
  const { owner } = forecourt
  const nextYear = (): number => {
    const year = (inventoryYears.get(forecourt) ?? 2100) + 1
    inventoryYears.set(forecourt, year)
    return year
  }
  const found = await owner.query<{ customer_id: string; id: string }>(
    'select customer_id, id from organizations where name = $1',
    [organization],
  )
  const [row] = found.rows
  if (row === undefined) throw new Error(`There is no organization ${organization}.`)
  const { customer_id: customerId, id: organizationId } = row

  const insert = async (text: string, values: unknown[], { isWhole = false } = {}): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>(isWhole ? text : `${text} returning id`, values)
    return rows[0]?.id ?? ''
  }
  const db = kyselyOver((query) => owner.query(statement(query)))
  const userType = async (name: string): Promise<string> => {
    const types = await owner.query<{ id: string }>(
      'select id from user_types where customer_id = $1 and name = $2',
      [customerId, name],
    )
    return types.rows[0]?.id ?? ''
  }
  const addInvited = async (type = 'Participant'): Promise<string> => {
    const userName = fresh('invited').replace(' ', '.')
    return createUser(db, passwords, {
      customerId,
      userTypeId: await userType(type),
      userName,
      email: `${userName}@people.example`,
      firstName: 'Ina',
      lastName: 'Vited',
      password: null,
      organizationIds: [organizationId],
    })
  }
  const addLot = (name = fresh('Lot')) =>
    insert('insert into lots (customer_id, organization_id, code, name) values ($1, $2, $3, $4)', [
      customerId,
      organizationId,
      fresh('P').replace(' ', ''),
      name,
    ])
  const addVehicle: TestOrganization['addVehicle'] = async (columns = {}) => {
    const own = { make: 'Ford', model: 'Focus', stock: fresh('Stock'), ...columns }
    const vehicle = { ...own, lot_id: columns.lot_id ?? (await addLot()) }
    const names = ['customer_id', 'organization_id', ...Object.keys(vehicle)]
    return insert(
      `insert into vehicles (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      [customerId, organizationId, ...Object.values(vehicle)],
    )
  }
  const addFacility: TestOrganization['addFacility'] = async (columns = {}) => {
    const facility = {
      level: 'site',
      code: fresh('F').replace(' ', ''),
      name: fresh('Facility'),
      ...columns,
    }
    const names = ['customer_id', 'organization_id', ...Object.keys(facility)]
    const { rows } = await owner.query<{ id: string }>(
      `with f as (
        insert into facilities (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id
      ), c as (
        insert into facility_control (customer_id, organization_id, facility_id, valid_from, ownership, operational_control,
          financial_control) select $1, $2, id, '2020-01-01', 100, true, true from f
      ) select id from f`,
      [customerId, organizationId, ...Object.values(facility)],
    )
    return rows[0]?.id ?? ''
  }
  const addInventory: TestOrganization['addInventory'] = (status = 'draft') => {
    return insert(
      `insert into carbon_inventories (customer_id, organization_id, name, period_start, period_end, boundary, status)
      values ($1, $2, $3, make_date($4, 1, 1), make_date($4, 12, 31), 'operational', $5)`,
      [customerId, organizationId, fresh('Inventory'), nextYear(), status],
    )
  }
  const addChosenFacility: TestOrganization['addChosenFacility'] = async (inventoryId) => {
    const facilityId = await addFacility()
    await owner.query(
      'insert into inventory_facilities (customer_id, organization_id, inventory_id, facility_id) values ($1, $2, $3, $4)',
      [customerId, organizationId, inventoryId, facilityId],
    )
    return facilityId
  }
  const addSource: TestOrganization['addSource'] = (inventoryId, facilityId) =>
    insert(
      `insert into emission_sources (customer_id, organization_id, inventory_id, facility_id, source_type, activity, scope, unit)
      values ($1, $2, $3, $4, 'electricity', 'electricity/grid', '2', 'kWh')`,
      [customerId, organizationId, inventoryId, facilityId],
    )
  return {
    customerId,
    organizationId,
    userType,
    createUser: addInvited,
    addUserType: async (name = fresh('Type'), parent = 'Customer administrator') =>
      insert('insert into user_types (customer_id, name, parent_id) values ($1, $2, $3)', [
        customerId,
        name,
        await userType(parent),
      ]),
    async addMail(subject = fresh('Subject')) {
      const id = await forecourt.outbox.put(db, {
        customerId,
        organizationId,
        userId: null,
        toName: 'Somebody',
        toEmail: 'somebody@people.example',
        subject,
        text: 'Hello.',
        hasSecret: false,
      })
      await owner.query(`update outbox_mails set state = 'failed' where id = $1`, [id])
      return id
    },
    addHandler: (kind = 'outbox') =>
      insert(
        `insert into email_handlers (customer_id, name, kind, from_email) values ($1, $2, $3, 'us@people.example')`,
        [customerId, fresh('Handler'), kind],
      ),
    addValueMapping: (raw = fresh('Value')) =>
      insert(
        `insert into value_mappings (customer_id, field, raw, raw_key, canonical) values ($1, 'body', $2, lower($2), 'SUV')`,
        [customerId, raw],
      ),
    addUnmapped: (raw = fresh('Value')) =>
      insert(
        `insert into unmapped_values (customer_id, field, raw, raw_key, rows, suggestion, certainty, reason)
        values ($1, 'body', $2, lower($2), 3, 'SUV', 97, 'The VINs say SUV.')`,
        [customerId, raw],
      ),
    addUnmatched: (dealerId = fresh('Dealer')) =>
      insert(
        `insert into unmatched_dealer_ids (customer_id, dealer_id, dealer_key, source, rows) values ($1, $2, lower($2), 'A feed', 3)`,
        [customerId, dealerId],
      ),
    addMapping: (name = fresh('Mapping')) =>
      insert(`insert into provider_mappings (customer_id, name, mapping) values ($1, $2, '{"fields": {}}')`, [
        customerId,
        name,
      ]),
    addFeedSource: () =>
      insert(
        `insert into feed_sources (customer_id, organization_id, name, acting_organization_id, reach, user_customer_id, user_id)
          select $1, $2, $3, $2, 'organization', customer_id, id from users where customer_id = $1 order by id limit 1`,
        [customerId, organizationId, fresh('Source')],
      ),
    addFeedRun: (status = 'ready') =>
      insert(
        `insert into feed_runs (customer_id, organization_id, file_name, status, row_count) values ($1, $2, $3, $4, 1)`,
        [customerId, organizationId, `${fresh('feed')}.csv`, status],
      ),
    addChannel: () =>
      insert(
        `with made as (insert into channels (customer_id, name, kind, format, destination) values ($1, $2, 'csv', 'csv', 'pull')
          returning customer_id, id)
        insert into channel_states (customer_id, channel_id) select customer_id, id from made returning channel_id as id`,
        [customerId, fresh('Channel')],
        { isWhole: true },
      ),
    addSuppressed: (email = `${fresh('gone').replace(' ', '.')}@people.example`) =>
      insert(`insert into suppressed_addresses (customer_id, email, reason) values ($1, $2, 'bounced')`, [
        customerId,
        email,
      ]),
    addFacility,
    addInventory,
    addChosenFacility,
    addSource,
    addCustomSource: (name = fresh('Custom source'), isRemoved = false) =>
      insert(
        `insert into custom_sources (customer_id, organization_id, name, scope, activity, unit, removed_at)
        values ($1, $2, $3, '3.6', 'travel/hotel/uk', 'room-night', case when $4 then app_now() end)`,
        [customerId, organizationId, name, isRemoved],
      ),
    addFactor: () =>
      insert(
        `with made as (insert into emission_factors
          (customer_id, organization_id, source_note, scopes, category, activity, name, region, unit, boundary, valid_from)
          values ($1, $2, 'A letter', '{2}', 'Purchased electricity', 'electricity/grid', $3, 'CA-QC', 'kWh', 'generation', '2024-01-01')
          returning customer_id, id)
        insert into emission_factor_gases (customer_id, factor_id, place, gas, basis, kg)
        select customer_id, id, 1, 'CO2e', 'co2e', 0.0013 from made returning factor_id as id`,
        [customerId, organizationId, fresh('Factor')],
        { isWhole: true },
      ),
    addDataset: () =>
      insert(
        `insert into factor_datasets (customer_id, publisher, title, edition, year, region, licence, attribution)
        values ($1, 'Authority', $2, '1', 2024, 'CA', 'Open', 'Authority')`,
        [customerId, fresh('Edition')],
      ),
    async addRecord(status = 'draft') {
      const inventoryId = await addInventory()
      const facilityId = await addChosenFacility(inventoryId)
      const sourceId = await addSource(inventoryId, facilityId)
      const { rows } = await owner.query<{ day: string }>(
        'select period_start::text as day from carbon_inventories where id = $1',
        [inventoryId],
      )
      const day = rows[0]?.day ?? ''
      const recordId = await insert(
        `insert into activity_records (customer_id, organization_id, source_id, kind, quantity, unit, period_start, period_end, status)
        values ($1, $2, $3, 'calculated', 100, 'kWh', $4, $4, $5)`,
        [customerId, organizationId, sourceId, day, status],
      )
      const resultId = await insert(
        `insert into calculation_results (customer_id, organization_id, inventory_id, facility_id, source_id, record_id,
          record_version, month, part, scope, method, gwp_set, inclusion_reason, problem, flags, engine_version)
        values ($1, $2, $3, $4, $5, $6, 1, $7, 'main', '2', 'location', 'AR6', 'Wholly owned.', 'There is no factor.', '{}', 1)`,
        [customerId, organizationId, inventoryId, facilityId, sourceId, recordId, day],
      )
      const instrumentId = await insert(
        `insert into instruments (customer_id, organization_id, inventory_id, kind, name, unit, kg_co2e, source_note)
        values ($1, $2, $3, 'supplier_rate', 'Rate', 'kWh', 0.1, 'The contract')`,
        [customerId, organizationId, inventoryId],
      )
      const importId = await insert(
        `insert into activity_imports (customer_id, organization_id, inventory_id, file_name, sheet, titles, lines, saved, known, refused)
        values ($1, $2, $3, 'bills.csv', 'CSV', '{From}', 1, 1, 0, 0)`,
        [customerId, organizationId, inventoryId],
      )
      const evidenceId = await insert(
        `insert into evidence_files (customer_id, organization_id, inventory_id, source_id, record_id, name, stored_as, type, size, sha256)
        values ($1, $2, $3, $4, $5, 'bill.pdf', gen_random_uuid(), 'application/pdf', 9, repeat('a', 64))`,
        [customerId, organizationId, inventoryId, sourceId, recordId],
      )
      const requestId = await insert(REQUEST, [customerId, organizationId, inventoryId, sourceId], {
        isWhole: true,
      })
      const ids = { inventoryId, sourceId, recordId, resultId, instrumentId }
      return { ...ids, importId, evidenceId, requestId, day }
    },
    async addImported() {
      const inventoryId = await addInventory()
      const sourceId = await addSource(inventoryId, await addChosenFacility(inventoryId))
      const { rows } = await owner.query<{ batch_id: string }>(
        `insert into imported_totals (customer_id, organization_id, inventory_id, source_id, batch_id, period_start, period_end, kg)
        values ($1, $2, $3, $4, nextval('imported_batches'), '2100-01-01', '2100-12-31', 5) returning batch_id`,
        [customerId, organizationId, inventoryId, sourceId],
      )
      return { inventoryId, batchId: rows[0]?.batch_id ?? '' }
    },
    addDomain: () =>
      insert(`insert into white_labels (customer_id, domain, title) values ($1, $2, 'A domain')`, [
        customerId,
        `${fresh('domain').replace(' ', '-')}-${customerId}.example`,
      ]),
    async addJob() {
      const userId = await addInvited()
      return insert(
        `insert into jobs (customer_id, organization_id, acting_organization_id, reach, actor_customer_id, actor_user_id,
          actor_name, effective_customer_id, effective_user_id, effective_name, kind, title, payload, state, ended_at)
        values ($1, $2, $2, 'organization', $1, $3, 'Ina Vited', $1, $3, 'Ina Vited', 'lots.change', $4,
          '{"change": {"isPublic": true}}', 'done', app_now())`,
        [customerId, organizationId, userId, fresh('Job')],
      )
    },
    addView: async (name = fresh('View')) =>
      insert(
        `insert into list_views (customer_id, list, name, scope, organization_id, owner_user_id, owner_name)
        values ($1, 'jobs', $2, 'organization', $3, $4, 'Ina Vited')`,
        [customerId, name, organizationId, await addInvited()],
      ),
    addSession: (userId) =>
      insert(
        `insert into iam.sessions (id, customer_id, user_id, effective_customer_id, effective_user_id, acting_customer_id,
          organization_id, is_verified, issued_at, rotated_at, last_active_at, ends_at, user_agent, ip)
        values (gen_random_uuid(), $1, $2, $1, $2, $1, $3, true, app_now(), app_now(), app_now(), app_now() + interval '1 hour',
          'curl/8.14.1', '192.0.2.7')`,
        [customerId, userId, organizationId],
      ),
    addAuditEntry: (name = fresh('Name')) =>
      insert(
        `insert into audit_log (customer_id, organization_id, actor_name, endpoint, operation, table_name, row_id, before, after)
        values ($1, $2, 'Ina Vited', 'lots.update', 'update', 'lots', '7', '{"name": "Old"}', jsonb_build_object('name', $3::text))`,
        [customerId, organizationId, name],
      ),
    async addPasswordLink() {
      const userId = await addInvited()
      return (await addLink(db, { customerId, userId, purpose: 'first', minutes: 30 })).secret
    },
    addLot,
    addVehicle,
    removeVehicle: async (id) => void (await owner.query('delete from vehicles where id = $1', [id])),
    addCustomer: () => insert('insert into customers (name) values ($1)', [fresh('Customer')]),
    addOrganization: (name = fresh('Organization')) =>
      insert('insert into organizations (customer_id, name) values ($1, $2)', [customerId, name]),
    addMember: async ({ userName, userType: type, firstName = 'Sam' }) =>
      createUser(db, passwords, {
        customerId,
        userTypeId: await userType(type),
        userName,
        email: `${userName}@people.example`,
        firstName,
        lastName: 'Tester',
        password: DEMO_PASSWORD,
        organizationIds: [organizationId],
      }),
    token: async () => (await forecourt.as('northgate.dealer')).token ?? '',
  }
}
