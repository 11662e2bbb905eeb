import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArchive,
  IconArchiveOff,
  IconArrowBackUp,
  IconCopy,
  IconDots,
  IconDownload,
  IconPrinter,
  IconTrash,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { questionnaireFiles } from '#contract/questionnaires/import/questionnaire-files.ts'
import { type Questionnaire, questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { CallFailure } from '#web/api/failure.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import {
  discardDraft,
  duplicateQuestionnaire,
  editLock,
  type Listed,
  removeLock,
  removeQuestionnaire,
  restoreQuestionnaire,
  retireLock,
  retireQuestionnaire,
} from './questionnaire-actions.ts'

type Props = {
  questionnaire: Listed
  isOnPage?: boolean
  /** Called with the changed questionnaire. */
  onChanged?: (questionnaire: Questionnaire) => void
  /** Saves what is being edited; false if that failed. */
  beforeChange?: () => Promise<boolean>
  onRemoved?: () => void
}

/** What can be done with a questionnaire besides editing it. */
export function QuestionnaireMenu(props: Props) {
  const { questionnaire, isOnPage = false, onChanged, beforeChange, onRemoved } = props
  const { status, hasDraft, publishedNumber, name } = questionnaire
  const navigate = useNavigate()
  const change = async (run: (of: Listed) => Promise<Questionnaire | null>) => {
    if (beforeChange !== undefined && !(await beforeChange())) return
    const changed = await run(questionnaire)
    if (changed !== null) onChanged?.(changed)
  }
  const duplicate = async () => {
    if (beforeChange !== undefined && !(await beforeChange())) return
    const copy = await duplicateQuestionnaire(questionnaire)
    if (copy !== null) void navigate({ to: '/configure-questionnaire/$id', params: { id: copy.id } })
  }
  const isRetired = status === 'retired'
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon
          className="fc-row-menu"
          variant={isOnPage ? 'default' : 'subtle'}
          size={isOnPage ? 36 : 28}
          aria-label={`More for ${name}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItem
          for={questionnaires.duplicate}
          leftSection={<IconCopy size={16} aria-hidden="true" />}
          onClick={() => void duplicate()}
        >
          Duplicate
        </ActionItem>
        <FileItems questionnaire={questionnaire} {...(beforeChange && { beforeChange })} />
        {isOnPage && hasDraft && publishedNumber !== null && (
          <ActionItem
            for={questionnaires.discardDraft}
            lock={editLock(questionnaire)}
            leftSection={<IconArrowBackUp size={16} aria-hidden="true" />}
            onClick={() => void change(discardDraft)}
          >
            Discard draft
          </ActionItem>
        )}
        <ActionItem
          for={isRetired ? questionnaires.restore : questionnaires.retire}
          lock={retireLock(questionnaire)}
          leftSection={
            isRetired ? (
              <IconArchiveOff size={16} aria-hidden="true" />
            ) : (
              <IconArchive size={16} aria-hidden="true" />
            )
          }
          onClick={() => void change(isRetired ? restoreQuestionnaire : retireQuestionnaire)}
        >
          {isRetired ? 'Restore' : 'Retire'}
        </ActionItem>
        <ActionItem
          for={questionnaires.remove}
          lock={removeLock(questionnaire)}
          isDestructive
          leftSection={<IconTrash size={16} aria-hidden="true" />}
          onClick={() =>
            void removeQuestionnaire(questionnaire).then((isRemoved) => isRemoved && onRemoved?.())
          }
        >
          Delete
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The questionnaire as a file: to import elsewhere, or to print. */
function FileItems({ questionnaire, beforeChange }: Pick<Props, 'questionnaire' | 'beforeChange'>) {
  const { id, name } = questionnaire
  const save = async (fetching: () => Promise<unknown>) => {
    if (beforeChange !== undefined && !(await beforeChange())) return
    try {
      await fetching()
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure
      showError(failure)
    }
  }
  return (
    <>
      <ActionItem
        for={questionnaireFiles.export}
        leftSection={<IconDownload size={16} aria-hidden="true" />}
        onClick={() => void save(() => fetchFile(questionnaireFiles.export, { id }, `Export ${name}`))}
      >
        Export as JSON
      </ActionItem>
      <ActionItem
        for={questionnaireFiles.pdf}
        leftSection={<IconPrinter size={16} aria-hidden="true" />}
        onClick={() => void save(() => fetchFile(questionnaireFiles.pdf, { id }, `Print ${name}`))}
      >
        PDF to print
      </ActionItem>
    </>
  )
}
