import { MultiSelect } from '@mantine/core'
import { capitalize } from '#contract/capitalize.ts'
import { MAX_ONE_OF } from '#contract/questions/limits.ts'
import { textIn } from '#contract/questions/texts.ts'
import { alternativesTo, withAlternatives } from './alternatives.ts'
import type { FieldsProps } from './use-builder.ts'

/** The questions that can be answered instead of this one: at least one of them must be. */
export function AlternativesField({ builder, question }: FieldsProps) {
  const { content, language, kit, edit } = builder
  const { languages } = content.draft
  const { possible, chosen } = alternativesTo(content, question)
  const readers = capitalize(kit.readers)
  return (
    <MultiSelect
      label="Alternatives"
      description={
        possible.length === 0
          ? `Add another question to this ${kit.noun} to make it an alternative.`
          : `${readers} must answer this question or at least one of these. They stay next to each other.`
      }
      placeholder={chosen.length === 0 ? 'None' : ''}
      disabled={possible.length === 0}
      data={possible.map(({ code, title }) => ({
        value: code,
        label: textIn(title, language, languages) || code,
      }))}
      value={chosen.map(({ code }) => code)}
      maxValues={MAX_ONE_OF - 1}
      clearable
      onChange={(codes) =>
        edit(withAlternatives(content, question.code, codes), `alternatives of ${question.code}`)
      }
    />
  )
}
