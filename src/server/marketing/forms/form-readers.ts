import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import type { PublicMemory, SiteReader } from '../site/public-memory.ts'
import type { Opened } from './open-form.ts'
import type { PublicForm } from './public-forms.ts'

/** Forms as the last visitors saw them, for an outage. `forms`: by address. `opened`: by address and vehicle. */
export type FormReaders = Readonly<{
  opened: SiteReader<Opened | null>
  forms: SiteReader<PublicForm | null>
}>

/** The name of the reader of forms by address. */
export const FORM_READER = 'form'

/** Both read the database each time while it is there, because a form that was just changed is opened next. */
export function makeFormReaders(memory: PublicMemory): FormReaders {
  const sizes = new WeakMap<CompiledDefinition, number>()
  const bytesOf = ({ compiled }: PublicForm): number => {
    const bytes = sizes.get(compiled) ?? JSON.stringify(compiled.definition).length * 2
    sizes.set(compiled, bytes)
    return bytes
  }
  const shownBy = ({ isClosed, key }: PublicForm) => ({ forms: isClosed ? [] : [key] })
  return {
    opened: memory.reader<Opened | null>({
      name: 'open form',
      freshMs: 0,
      shows: (opened) => (opened === null ? {} : shownBy(opened.form)),
      bytesOf: (opened) => (opened === null ? 0 : bytesOf(opened.form)),
    }),
    forms: memory.reader<PublicForm | null>({
      name: FORM_READER,
      freshMs: 0,
      shows: (form) => (form === null ? {} : shownBy(form)),
      bytesOf: (form) => (form === null ? 0 : bytesOf(form)),
    }),
  }
}

/** The key of a form about a vehicle, or about none. */
export const openedKey = (key: string, vehicleId: string | null): string =>
  `${key} ${vehicleId ?? ''}`.slice(0, 100)

/** Keeps a form that a page shows: what is sent from it is checked and received even if the database is away by then. */
export async function keepOpened(
  { opened, forms }: FormReaders,
  site: Pick<Site, 'customerId'>,
  shown: Opened,
): Promise<void> {
  const { form, vehicle } = shown
  await opened(site, openedKey(form.key, vehicle?.id ?? null), async () => shown)
  await forms(site, form.key, async () => form)
}
