import { Select } from '@mantine/core'
import { MantineActionElement, MantineNotToggle, MantineValueSelector } from '@react-querybuilder/mantine'
import { IconPlus, IconX } from '@tabler/icons-react'
import { createContext, type SyntheticEvent, use } from 'react'
import type {
  ActionProps,
  CombinatorSelectorProps,
  FieldSelectorProps,
  OperatorSelectorProps,
  Path,
  ValueEditorProps,
} from 'react-querybuilder'
import type { Variables } from '#contract/expressions/variables.ts'
import { readValues } from './builder-group.ts'
import { ChoiceSelect } from '../ChoiceSelect.tsx'
import { controlOf, type Draft, parseComparison, operatorsFor } from '../condition.ts'
import { ValueControl } from '../ValueControl.tsx'

/** The variables of a rule, as context: the builder passes only its own props to controls. */
export const BuilderVariables = createContext<Variables>({})

/** "condition 2.1": the position of a control, for its name. */
function placeOf(path: Path): string {
  return path.map((at) => at + 1).join('.')
}

/** Selects the text, so that typing starts a new search instead of appending to the name. */
function chooseText({ currentTarget }: SyntheticEvent<HTMLInputElement>): void {
  currentTarget.select()
}

function FieldSelector(props: FieldSelectorProps) {
  return (
    <MantineValueSelector
      {...props}
      title=""
      aria-label={`Field of condition ${placeOf(props.path)}`}
      searchable
      selectFirstOptionOnChange
      onFocus={chooseText}
      onClick={chooseText}
      nothingFoundMessage="No matching fields."
      allowDeselect={false}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}

function OperatorSelector(props: OperatorSelectorProps) {
  const { rule, path, value = '' } = props
  const variable = use(BuilderVariables)[rule.field]
  if (variable === undefined) return null
  const comparison = parseComparison(value, variable)
  return (
    <Select
      aria-label={`Comparison of condition ${placeOf(path)}`}
      className="rule-operators"
      data={comparison === null ? [] : operatorsFor(variable, comparison)}
      value={comparison}
      onChange={(next) => props.handleOnChange(next)}
      allowDeselect={false}
    />
  )
}

function CombinatorSelector(props: CombinatorSelectorProps) {
  const { path } = props
  return (
    <MantineValueSelector
      {...props}
      title=""
      aria-label={path.length === 0 ? 'All or any of the conditions' : `All or any in group ${placeOf(path)}`}
      allowDeselect={false}
      comboboxProps={{ shadow: 'md' }}
    />
  )
}

function ValueEditor(props: ValueEditorProps) {
  const { rule, path } = props
  const variable = use(BuilderVariables)[rule.field]
  const comparison = variable === undefined ? null : parseComparison(rule.operator, variable)
  if (variable === undefined || comparison === null) return null
  const draft: Draft = { field: rule.field, comparison, values: readValues(rule.value) }
  const control = controlOf(variable, draft)
  if (control === 'choices' || control === 'choice') {
    return (
      <ChoiceSelect
        variable={variable}
        label={`Value of condition ${placeOf(path)}`}
        isMany={control === 'choices'}
        chosen={draft.values}
        onChange={(values) => props.handleOnChange(values)}
      />
    )
  }
  return (
    <div className="rule-value">
      <ValueControl
        variable={variable}
        draft={draft}
        label={`Value of condition ${placeOf(path)}`}
        onChange={(values) => props.handleOnChange(values)}
      />
    </div>
  )
}

function AddAction(props: ActionProps) {
  return (
    <MantineActionElement
      {...props}
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden="true" />}
      aria-label={`${props.title ?? ''}${props.level === 0 ? '' : ` to group ${placeOf(props.path)}`}`}
      title=""
    />
  )
}

function RemoveAction(props: ActionProps) {
  const { path, ruleOrGroup } = props
  const what = 'rules' in ruleOrGroup ? 'group' : 'condition'
  return (
    <button
      type="button"
      className="fc-icon-button"
      aria-label={`Remove ${what} ${placeOf(path)}`}
      onClick={(event) => {
        // The button disappears with its row: keep the focus in the row's group.
        const row = event.currentTarget.closest(what === 'group' ? '.ruleGroup' : '.rule')
        row?.parentElement?.closest('.ruleGroup')?.querySelector<HTMLElement>('.ruleGroup-addRule')?.focus()
        props.handleOnClick()
      }}
    >
      <IconX size={14} aria-hidden="true" />
    </button>
  )
}

/** Mantine controls for the builder, with accessible names and inputs by field kind. */
export const CONTROLS = {
  addRuleAction: AddAction,
  addGroupAction: AddAction,
  removeRuleAction: RemoveAction,
  removeGroupAction: RemoveAction,
  combinatorSelector: CombinatorSelector,
  notToggle: MantineNotToggle,
  fieldSelector: FieldSelector,
  operatorSelector: OperatorSelector,
  valueEditor: ValueEditor,
}
