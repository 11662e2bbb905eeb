import { type UserType, type UserTypeChoice, userTypes } from '#contract/identity/user-types/user-types.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { TypeForm } from './TypeForm.tsx'

/**
 * `new`: a blank type below the caller's own. `copy`: a sibling of the selected type with its permissions.
 * `edit`: the selected type.
 */
export type TypeDrawerKind = 'new' | 'copy' | 'edit'

type Props = {
  kind: TypeDrawerKind
  /** The selected type. */
  choice: UserTypeChoice
  choices: readonly UserTypeChoice[]
  /** `isSaved`: nothing would be lost, so don't ask. */
  onClose: (isSaved: boolean) => void
  onCreated: (id: string, meanwhile: { isTyping: boolean }) => void
}

/** The form of a user type, in a drawer. */
export function TypeDrawer({ kind, choice, choices, onClose, onCreated }: Props) {
  const own = choices[0]?.id ?? ''
  const close = () => onClose(false)
  if (kind === 'edit') return <EditDrawer {...{ choice, choices, onClose, onCreated }} />
  const isCopy = kind === 'copy'
  const isOwn = choice.id === own
  const blank = {
    name: isCopy ? `Copy of ${choice.name}`.slice(0, 80) : '',
    parentId: isCopy && !isOwn ? (choice.parentId ?? own) : own,
    reach: isCopy ? choice.reach : ('organization' as const),
    secondFactor: 'auto' as const,
    startFrom: isCopy ? choice.id : '',
  }
  return (
    <FormDrawer
      title={isCopy ? `Duplicate ${choice.name}` : 'New user type'}
      about="A named set of permissions"
      onClose={close}
    >
      <TypeForm key={kind} type={null} {...{ choices, blank, onClose, onCreated }} />
    </FormDrawer>
  )
}

function EditDrawer({ choice, choices, onClose, onCreated }: Omit<Props, 'kind'>) {
  const load = useLoad(query(userTypes.get, { id: choice.id }))
  const { data } = load
  const blank = {
    name: '',
    parentId: '',
    reach: 'organization',
    secondFactor: 'auto',
    startFrom: '',
  } as const
  return (
    <FormDrawer title={choice.name} about={data && describe(data)} onClose={() => onClose(false)}>
      <Loaded query={load} what="this user type" shape="fields">
        {(loaded) => (
          <LoadedRecord key={loaded.id} record={loaded}>
            {(type, keep) => (
              <TypeForm type={type} onKept={keep} {...{ choices, blank, onClose, onCreated }} />
            )}
          </LoadedRecord>
        )}
      </Loaded>
    </FormDrawer>
  )
}

function describe({ updatedAt, updatedBy }: UserType): string {
  return `User type, changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
