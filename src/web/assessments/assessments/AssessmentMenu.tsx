import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCircleOff,
  IconCopy,
  IconDots,
  IconTrash,
  IconVersions,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type Assessment, assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentVersions } from '#contract/assessments/assessments/version-change.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import {
  changeAssessmentVersion,
  closeAssessment,
  closeLock,
  duplicateAssessment,
  removeAssessment,
  removeLock,
  reopenAssessment,
  reopenLock,
  versionLock,
} from './assessment-actions.tsx'
import { ownLock } from './assessment-labels.ts'
import '#web/ui/list/row-name.css'

type Props = {
  assessment: Assessment
  isOnPage?: boolean
  onRemoved?: () => void
}

const ICON = { size: 16, 'aria-hidden': true } as const

/** What can be done with an assessment as a whole. */
export function AssessmentMenu({ assessment, isOnPage = false, onRemoved }: Props) {
  const navigate = useNavigate()
  const duplicate = async () => {
    const added = await duplicateAssessment(assessment)
    if (added !== null) void navigate({ to: '/assessments/$id', params: { id: added.id } })
  }
  return (
    <Menu position="bottom-end" width={232}>
      <Menu.Target>
        <ActionIcon
          className="fc-row-menu"
          variant={isOnPage ? 'default' : 'subtle'}
          size={isOnPage ? 36 : 28}
          aria-label={`More for ${assessment.name}`}
        >
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ActionItem
          for={assessments.duplicate}
          lock={ownLock(assessment)}
          leftSection={<IconCopy {...ICON} />}
          onClick={() => void duplicate()}
        >
          Duplicate for next year
        </ActionItem>
        <ActionItem
          for={assessmentVersions.change}
          lock={versionLock(assessment)}
          leftSection={<IconVersions {...ICON} />}
          onClick={() => void changeAssessmentVersion(assessment)}
        >
          Move to another version
        </ActionItem>
        {assessment.status === 'closed' ? (
          <ActionItem
            for={assessments.reopen}
            lock={reopenLock(assessment)}
            leftSection={<IconArrowBackUp {...ICON} />}
            onClick={() => void reopenAssessment(assessment)}
          >
            Reopen
          </ActionItem>
        ) : (
          <ActionItem
            for={assessments.close}
            lock={closeLock(assessment)}
            leftSection={<IconCircleOff {...ICON} />}
            onClick={() => void closeAssessment(assessment)}
          >
            Close
          </ActionItem>
        )}
        <ActionItem
          for={assessments.remove}
          lock={removeLock(assessment)}
          isDestructive
          leftSection={<IconTrash {...ICON} />}
          onClick={() => void removeAssessment(assessment).then((isRemoved) => isRemoved && onRemoved?.())}
        >
          Delete
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
