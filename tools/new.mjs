// `npm run new -- customers/suppliers supplier [--organization]`: writes the start of a record with a list, a drawer, deletion with undo, export and
// audit: the files that are its own. Prints the lines that register it elsewhere. With `--organization`, the list says whose each is. CONTRIBUTING.md, "Add a record".
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '..')
const [path = '', one = '', option] = process.argv.slice(2)
const isOfMany = option === '--organization'
const [, domain, many] = /^([a-z]+)\/([a-z]+(?:-[a-z]+)*)$/.exec(path) ?? []
if (domain === undefined || !/^[a-z]+(?:-[a-z]+)*$/.test(one) || (option !== undefined && !isOfMany)) {
  console.error('Usage: npm run new -- customers/suppliers supplier [--organization]')
  process.exit(2)
}
if (!existsSync(join(project, 'src/contract', domain))) {
  console.error(`"${domain}" is not a domain. Choose a folder of src/contract.`)
  process.exit(2)
}

const camel = (text) => text.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
const pascal = (text) => camel(`-${text}`)
const words = (text) => text.replaceAll('-', ' ')
const sentence = (text) => `${text.charAt(0).toUpperCase()}${words(text).slice(1)}`
const [table, calls, Many, One] = [many.replaceAll('-', '_'), camel(many), pascal(many), pascal(one)]
const record = `${camel(one)}Record`
const list = `${one.replaceAll('-', '_').toUpperCase()}_LIST`
const functions = readFileSync(join(project, 'src/contract/permissions.ts'), 'utf8').matchAll(/func: (\d+)/g)
const func = Math.max(...[...functions].map(([, number]) => Number(number))) + 1
const numbers = readdirSync(join(project, 'migrations')).map((name) => Number.parseInt(name, 10))
const migration = String(Math.max(...numbers) + 1).padStart(4, '0')
const contractFile = `#contract/${domain}/${many}/${many}.ts`

const files = {
  [`migrations/${migration}-${many}.sql`]: `-- Belong to one organization. Names are unique within it.
create table ${table} (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  name text not null,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, name),
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create trigger touch before update on ${table} for each row execute function touch_row();
call protect_tenant_table('${table}', array['id'], by_organization => true);
-- Users who may do something with lots may do the same with ${words(many)}.
call grant_function(${func}, same_as => 8);
`,
  [`src/contract/${domain}/${many}/${many}.ts`]: `import ${isOfMany ? '' : 'type '}{ z } from 'zod'
import { crud } from '#contract/crud.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { record, requiredText } from '#contract/record.ts'

/** With its fields in form order. Belongs to one organization. */
export const ${record} = record({ name: requiredText('Name', 100) }, { readOnly: {${isOfMany ? ' organizationName: z.string() ' : ''}} })
export type ${One} = z.infer<typeof ${record}.schema>

export const ${list} = defineList({
  key: '${calls}',
  title: '${sentence(many)}',
  nouns: ['${words(one)}', '${words(many)}'],
  page: '/${domain}/${many}',
  allow: can(Func.${calls}, Opr.list),
  exports: can(Func.${calls}, Opr.export),
  sort: 'name',
  fields: {
    name: { title: '${sentence(one)}', kind: 'text', isSortable: true, isFixed: true },${isOfMany ? "\n    organizationName: { title: 'Organization', kind: 'text', isSortable: true, isFacet: true }," : ''}
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

export const ${calls} = crud(${record}, { list: ${list}, func: Func.${calls} })
`,
  [`src/server/${domain}/${many}/${many}.ts`]: `import { sql } from 'kysely'
import { ${list}, ${record}, ${calls} } from '${contractFile}'
import { recordTable } from '#server/lists/record-table.ts'

export const ${camel(one)}Table = recordTable(${record}, ${calls}, ${list}, '${camel(many)}', {
  name: '${calls}',
  columns: {${isOfMany ? ' organizationName: sql`organizations.name` ' : ''}},${
    isOfMany
      ? `
  joins: sql\`left join organizations
    on organizations.customer_id = ${table}.customer_id and organizations.id = ${table}.organization_id\`,`
      : ''
  }
  fields: {${isOfMany ? " organizationName: { value: sql`organizations.name`, joins: 'value' } " : ''}},
  searches: [sql.ref('${table}.name')],
  constraints: {
    ${table}_customer_id_organization_id_name_key: {
      message: 'Another ${words(one)} already has this name.',
      fields: { name: 'This name is already in use.' },
    },
  },
})
`,
  [`src/web/${domain}/${many}/${Many}Page.tsx`]: `import { IconListDetails } from '@tabler/icons-react'
import { lazy } from 'react'
import { ${list}, ${calls} } from '${contractFile}'
import { RecordList } from '#web/ui/list/RecordList.tsx'

const ${One}Drawer = lazy(async () => ({ default: (await import('./${One}Drawer.tsx')).${One}Drawer }))

/** The ${words(many)} within the user's reach; one opens in a drawer with its own URL. */
export function ${Many}Page() {
  return (
    <RecordList
      list={${list}}
      calls={${calls}}
      param="${camel(one)}"
      Drawer={${One}Drawer}
      roles={ROLES}
      searches="Name"
      icon={<IconListDetails size={18} />}
      purpose="Say in one sentence what ${words(many)} are for."
    />
  )
}

/** The card on a narrow screen. */
const ROLES = { line: ['${isOfMany ? 'organizationName' : 'updatedBy'}'] } as const
`,
  [`src/web/${domain}/${many}/${One}Drawer.tsx`]: `import { ${record}, ${calls} } from '${contractFile}'
import { send } from '#web/api/query.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'

const ${camel(one)}Form = recordForm(${record})
const add${One} = send(${calls}.add)
const update${One} = send(${calls}.update)
const remove${Many} = send(${calls}.removeMany)

/** One ${words(one)}, or a blank form for a new one. */
export function ${One}Drawer(props: RecordDrawerProps) {
  return (
    <RecordDrawer
      {...props}
      noun="${words(one)}"
      about="Say in a few words what it is"
      form={${camel(one)}Form}
      endpoints={${calls}}
      save={(input, change) => (change ? update${One}({ ...input, ...change }) : add${One}(input))}
      remove={{
        endpoint: ${calls}.removeMany,
        run: ({ id }) => remove${Many}({ selection: { ids: [id] } }),
        text: 'It will be removed from all lists. You can undo this.',
      }}
      nameOf={({ name }) => ({ name })}
    />
  )
}
`,
  [`test/api/${domain}/${many}.test.ts`]: `import { ${calls} } from '${contractFile}'
import { fresh } from '#test/factories/fresh.ts'
import { describeRecord } from '#test/suites/records.ts'

describeRecord(${calls}, () => ({ name: fresh('${sentence(one)}') }))
`,
  [`demo/demo-${many}.ts`]: `import { ${record} } from '${contractFile}'
import type { Database } from '#server/database/tenant-transaction.ts'
import { ${camel(one)}Table } from '#server/${domain}/index.ts'

const NAMES = ['First ${words(one)}', 'Second ${words(one)}']

/** Adds ${words(many)} to the organization of the transaction. */
export async function addDemo${Many}(db: Database): Promise<void> {
  for (const name of NAMES) await ${camel(one)}Table.add(db, ${record}.create.parse({ name }))
}
`,
}

const existing = Object.keys(files).filter((file) => existsSync(join(project, file)))
if (existing.length > 0) {
  console.error(`Nothing was written, because these files exist: ${existing.join(', ')}`)
  process.exit(1)
}
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(project, file)), { recursive: true })
  writeFileSync(join(project, file), text)
  console.log(`wrote ${file}`)
}

const registrations = [
  [
    'src/contract/permissions.ts',
    `${calls}: { func: ${func}, title: '${sentence(many)}', operations: full },`,
  ],
  ['src/contract/permissions.ts, FUNCTION_GROUPS', `'${calls}' in a group`],
  ['src/server/identity/user-types/default-user-types.ts', `'${calls}' beside what it resembles`],
  [
    'src/contract/index.ts',
    `import { ${calls} } from './${domain}/${many}/${many}.ts', and ${calls}, in contract`,
  ],
  [
    'src/contract/menu.ts',
    `{ id: '${calls}', title: '${sentence(many)}', url: '/${domain}/${many}', icon: 'map-pin', permission: ${calls}.list.allow },`,
  ],
  ['src/contract/administration/audit-list.ts', `{ value: '${table}', label: '${sentence(one)}' },`],
  [`src/server/${domain}/index.ts`, `export { ${camel(one)}Table } from './${many}/${many}.ts'`],
  ['src/server/all-sources.ts', `${camel(one)}Table.source,`],
  ['src/server/app.ts, kinds', `${camel(one)}Table.removeJob,`],
  [
    'src/server/handlers.ts',
    `${calls}: { ...${camel(one)}Table.handlers, ...${camel(one)}Table.removing(jobs) },`,
  ],
  [
    'src/web/routes.tsx',
    `createRoute({ ...listPage('/${domain}/${many}', '${sentence(many)}', can(Func.${calls}, Opr.list), '${camel(one)}'), component: load(() => import('./${domain}/${many}/${Many}Page.tsx'), '${Many}Page') }),`,
  ],
  [
    'test/factories/vehicles/add-inventory.ts',
    `add${One}: async () => (await dealer.call(${calls}.add, { name: fresh('${sentence(one)}') })).id, and its type: add${One}: () => Promise<string>`,
  ],
  ['test/api/http/openapi.test.ts', `add${One}: one,`],
  [
    'test/cases/cases.ts',
    `${calls}: recordCases(({ add${One} }) => add${One}(), () => ({ name: fresh('${sentence(one)}') })),`,
  ],
  [
    'e2e/pages/pages.ts',
    `'/${domain}/${many}': recordPage(ADMIN, { list: ${list}, calls: ${calls}, param: '${camel(one)}', opened: 'First ${words(one)}', total: 2 }),`,
  ],
  [
    'demo/add-demo-customer.ts',
    `await addDemo${Many}(db), once, after actAs(db, scopeOf(customerId, organizationId, actor, '${calls}.add'))`,
  ],
  ['src/web/shell/menu/MenuIcon.tsx', 'an icon of its own, and its name in the menu entry'],
]
console.log('\nRegister it:')
for (const [file, line] of registrations) console.log(`  ${file}\n    ${line}`)
console.log('\nThen: npm run db:types, npm run format, npm run check')
