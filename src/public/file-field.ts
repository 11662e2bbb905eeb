import { showSize } from '#contract/files/show-size.ts'
import { MAX_FORM_FILE_BYTES, MAX_FORM_FILE_MB, mostFiles } from '#contract/marketing/forms/form-files.ts'
import type { QuestionOf } from '#contract/questions/definition.ts'
import { inputName } from '#contract/questions/reading/form-entries.ts'
import { acceptedTypes } from '#contract/questions/reading/read-parts.ts'
import { type FieldContext, fieldId, mark, notes, isInvalid, titleOf } from './field-parts.ts'
import { flag, html, type Html } from './html.ts'

/** Adds files. Those that were sent before stay, unless the visitor clears their box: a browser can't send them again. */
export function fileField(question: QuestionOf<'file'>, context: FieldContext): Html {
  const { code } = question
  const { page, language, required, typed, files } = context
  const { part, ids } = notes(question, context)
  const id = fieldId(code)
  const name = inputName(code)
  const most = mostFiles(question)
  const kept = files[code] ?? []
  const chosen = new Set(typed.getAll(name))
  const limit = most === 1 ? page('oneFile') : page('filesMost', most)
  return html`<div class="field">
    <label class="label" for="${id}">${titleOf(question, context)}${mark(question, context)}</label>
    ${part}
    ${
      kept.length > 0 &&
      html`<ul class="kept" aria-label="${page('keptFiles')}">
        ${kept.map(
          (file) =>
            html`<li>
              <label class="choice"
                ><input
                  type="checkbox"
                  name="${name}"
                  value="${file.id}"
                  ${flag('checked', chosen.has(file.id))}
                />
                <span>${file.name} <span class="fine">${showSize(file.bytes, language)}</span></span></label
              >
            </li>`,
        )}
      </ul>`
    }
    <input
      type="file"
      id="${id}"
      name="${name}"
      accept="${acceptedTypes(question).join(',')}"
      data-most-bytes="${MAX_FORM_FILE_BYTES}"
      data-too-large="${page('tooLarge', MAX_FORM_FILE_MB)}"
      ${flag('multiple', most > 1)}${flag('required', required.has(code) && kept.length === 0)}
      aria-describedby="${id}-limit${ids !== '' && ` ${ids}`}"
      ${isInvalid(question, context) && html` aria-invalid="true"`}
    />
    <p class="help" id="${id}-limit">${page('files', limit)} ${page('largest', MAX_FORM_FILE_MB)}</p>
  </div>`
}
