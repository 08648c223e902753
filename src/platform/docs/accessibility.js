// What Scalar leaves out for whoever does not see the page, or has no mouse. Each is a fault of it
// that axe finds; test/platform/docs-chromium.test.ts says whether one is left.

const all = (selector) => document.querySelectorAll(selector);

/** The text beside a field: Scalar makes it the label of the box around the field. */
const labelOf = (field) =>
  field.closest('td, tr, label')?.querySelector('label')?.textContent.trim() ||
  field.dataset.placeholder ||
  'Value';

const SCROLLING =
  '.cm-scroller[tabindex="-1"], .endpoints:not([tabindex]), code.custom-scroll:not([tabindex])';

/** Fields that are editable text; "combobox" to Scalar also where there is no list to choose from. */
function nameFields() {
  for (const field of all('.code-input-lite__editor')) {
    if (!field.hasAttribute('aria-label')) field.setAttribute('aria-label', labelOf(field));
    if (!field.hasAttribute('aria-controls')) field.setAttribute('role', 'textbox');
    // Addresses of its own example service.
    if (field.dataset.placeholder?.includes('scalar.com')) field.dataset.placeholder = '';
  }
  // The search, whose results are there as soon as it is.
  for (const field of all('input[role="combobox"]:not([aria-expanded])'))
    field.setAttribute('aria-expanded', 'true');
  for (const editor of all('.cm-content:not([aria-label])'))
    editor.setAttribute(
      'aria-label',
      editor.contentEditable === 'true' ? 'Request body' : 'Response body',
    );
  // What scrolls can be scrolled by keyboard.
  for (const box of all(SCROLLING)) box.tabIndex = 0;
}

/** Buttons that show only a picture, or say one thing and are named another. */
function nameButtons() {
  for (const button of all('button')) {
    if (button.getAttribute('role') === 'none') button.removeAttribute('role');
    const text = button.textContent.trim();
    const label = button.getAttribute('aria-label');
    const isCopy = button.className.includes('copy-button');
    if (isCopy && !document.getElementById(button.getAttribute('aria-controls')))
      button.removeAttribute('aria-controls');
    if (label === null && isCopy) button.setAttribute('aria-label', 'Copy');
    else if (label === null && text === '' && !button.querySelector('[aria-label]'))
      button.setAttribute('aria-label', 'Details');
    else if (button.matches('.show-more') && label && !label.includes(text))
      button.setAttribute('aria-label', `${text}: ${label}`);
  }
}

/** Nothing behind the window that sends requests can be reached while it is open. */
function confine() {
  const client = document.querySelector('.scalar-app-layout[role="dialog"]');
  const isOpen = client?.checkVisibility() ?? false;
  const behind = all(
    '.bar, .references-rendered, .t-doc__sidebar, .t-doc__header, section[aria-live]',
  );
  for (const each of behind) if (!client?.contains(each)) each.inert = isOpen;
}

/** Looks at the page as it is now, and once a frame after each change. */
export function completeAccessibility() {
  let isDue = false;
  const complete = () => {
    isDue = false;
    nameFields();
    nameButtons();
    confine();
  };
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(complete);
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['class', 'style', 'role'],
  });
}
