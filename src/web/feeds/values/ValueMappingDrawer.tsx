import { fieldTitle } from '#contract/feeds/values/mapped-fields.ts'
import { type ValueMapping, valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { BLANK } from './value-form.ts'
import { ValueMappingForm } from './ValueMappingForm.tsx'

type Props = {
  /** A mapping's ID, or `new`. */
  id: string
  /** `isSaved`: close without asking about unsaved changes. */
  onClose: (isSaved: boolean) => void
}

/** One data mapping, or a blank form for a new one. */
export function ValueMappingDrawer({ id, onClose }: Props) {
  const isNew = id === 'new'
  const load = useLoad({
    ...query(valueMappings.get, { id }),
    enabled: !isNew,
    // Always opens with fresh data, not with the cached mapping.
    gcTime: 0,
  })
  const { data } = load
  if (isNew) {
    return (
      <FormDrawer
        title="New data mapping"
        about="Map a feed value to a standard value"
        onClose={() => onClose(false)}
      >
        <ValueMappingForm mapping={null} blank={BLANK} onClose={onClose} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title={data?.raw ?? 'Data mapping'}
      about={data && describeMapping(data)}
      onClose={() => onClose(false)}
    >
      <Loaded query={load} what="this data mapping" shape="fields">
        {(loaded) => (
          <LoadedRecord key={loaded.id} record={loaded}>
            {(mapping, keep) => (
              <ValueMappingForm mapping={mapping} blank={BLANK} onKept={keep} onClose={onClose} />
            )}
          </LoadedRecord>
        )}
      </Loaded>
    </FormDrawer>
  )
}

function describeMapping({ field, updatedAt, updatedBy }: ValueMapping): string {
  return `${fieldTitle(field)}, changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
