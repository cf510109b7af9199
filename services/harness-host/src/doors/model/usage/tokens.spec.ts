import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tokensIn } from './tokens.ts';

const digests = (count: number, form: 'base64' | 'hex'): string =>
  Array.from({ length: count }, (_, at) => createHash('sha256').update(`block ${at}`).digest(form)).join('');

/** Texts with their tokens in `o200k_base` and in `cl100k_base`, as gpt-tokenizer 4.0.0 counts them. */
const TEXTS: Readonly<Record<string, readonly [text: string, o200k: number, cl100k: number]>> = {
  'English prose': [
    'The service keeps every decision in a journal, so a reader can follow what happened and why. ' +
      'When a host dies, another one takes over its work: it reads the journal, restores the files ' +
      'and goes on where the first one stopped. No one has to guess which steps were completed.',
    58,
    58,
  ],
  'German prose': [
    'Der Dienst zeichnet jede Entscheidung in einem Protokoll auf, damit man später nachvollziehen ' +
      'kann, was geschehen ist. Fällt ein Rechner aus, übernimmt ein anderer seine Arbeit, stellt die ' +
      'Dateien wieder her und fährt an derselben Stelle fort.',
    49,
    68,
  ],
  Russian: [
    'Служба записывает каждое решение в журнал, поэтому читатель может понять, что произошло и ' +
      'почему. Если сервер выходит из строя, его работу продолжает другой.',
    35,
    61,
  ],
  Greek: [
    'Η υπηρεσία καταγράφει κάθε απόφαση σε ένα ημερολόγιο, ώστε ο αναγνώστης να μπορεί να δει τι ' + 'έγινε και γιατί.',
    33,
    97,
  ],
  Arabic: [
    'تسجل الخدمة كل قرار في سجل، حتى يتمكن القارئ من معرفة ما حدث ولماذا. إذا توقف خادم، يواصل خادم ' + 'آخر عمله.',
    35,
    78,
  ],
  Hebrew: [
    'השירות רושם כל החלטה ביומן, כך שהקורא יכול להבין מה קרה ולמה. אם שרת נופל, שרת אחר ממשיך את ' + 'עבודתו.',
    39,
    95,
  ],
  Hindi: [
    'सेवा हर निर्णय को एक पत्रिका में लिखती है, ताकि पाठक समझ सके कि क्या हुआ और क्यों। यदि एक ' +
      'सर्वर बंद हो जाए, तो दूसरा उसका काम जारी रखता है।',
    41,
    133,
  ],
  Thai: ['บริการนี้บันทึกทุกการตัดสินใจลงในสมุดบันทึก เพื่อให้ผู้อ่านเข้าใจว่าเกิดอะไรขึ้นและเพราะเหตุใด', 36, 85],
  Chinese: [
    '该服务把每个决定都写入日志，因此读者可以了解发生了什么以及原因。如果一台主机停止工作，另一台主机会读取日志、恢复文件，并从中断的地方继续。',
    45,
    71,
  ],
  Japanese: [
    'このサービスはすべての決定を記録に残すため、読者は何が起きたのか、なぜ起きたのかを確認できます。ホストが停止すると、別のホストが記録を読み、ファイルを復元して続行します。',
    65,
    90,
  ],
  Korean: [
    '이 서비스는 모든 결정을 일지에 기록하므로 독자는 무슨 일이 왜 일어났는지 확인할 수 있습니다. 호스트가 멈추면 다른 호스트가 일지를 읽고 파일을 복원하여 이어서 ' +
      '진행합니다.',
    53,
    77,
  ],
  emoji: ['🚀✅❌🔥👩‍💻👨‍👩‍👧‍👦🇩🇪🇯🇵🎉🤖🧪📦🛠️⚠️💡👍🏽🙌🏿😀😂🥲🫠', 62, 91],
  TypeScript: [
    `export async function restoreTree(store: ObjectStore, treeId: string): Promise<Map<string, ` +
      `Uint8Array>> {\n  const files = new Map<string, Uint8Array>();\n  for (const { path, hash } of ` +
      `await store.listEntries(treeId)) {\n    if (!path.startsWith('src/')) continue;\n    ` +
      `files.set(path, await store.getBlob(hash));\n  }\n  return files;\n}\n`,
    84,
    83,
  ],
  Python: [
    `def merge(left: list[int], right: list[int]) -> list[int]:\n    out = []\n    while left and ` +
      `right:\n        out.append(left.pop(0) if left[0] <= right[0] else right.pop(0))\n    return out ` +
      `+ left + right\n\n\nif __name__ == '__main__':\n    print(merge([1, 4, 9], [2, 3, 10]))\n`,
    88,
    88,
  ],
  'shell and paths': [
    'cd /usr/local/share/app && find . -name "*.log" -mtime +7 -print0 | xargs -0 rm -f; curl -fsSL ' +
      'https://example.org/v2/install.sh?arch=x86_64 | sh -s -- --prefix=$HOME/.local 2>&1 ' +
      '>>/var/log/app-install.log',
    70,
    70,
  ],
  JSON: [
    '' +
      '{"requestId":"01JD8Z3V5W","stage":"execute","attempt":2,"files":[{"path":"src/index.ts","size":4096,"mode":"0644"},{"path":"README.md","size":812,"mode":"0644"}],"usage":{"inputTokens":18234,"outputTokens":977,"costUsd":0.0421},"ok":true,"error":null}',
    84,
    84,
  ],
  'minified code': [
    'function a(b,c){for(var d=0,e=b.length;d<e;d++){if(b[d]!==c[d]){return!1}}return!0}var ' +
      'f=[1,2,3],g={x:1,y:2,z:f.map(h=>h*h)};!function(){try{a(f,g.z)||console.log("no")}catch(i){}}()' +
      ';',
    83,
    79,
  ],
  'log lines': [
    '2026-03-14T09:26:53.589Z INFO [worker-7] partition 12 lost, offset=1048576 lag=0ms ' +
      'trace=4bf92f3577b34da6a3ce929d0e0e4736\n2026-03-14T09:26:54.002Z WARN [worker-7] lease expired ' +
      'after 30000 ms (owner 10.42.7.19:4222)\n',
    101,
    101,
  ],
  'table of numbers': [
    '| 0.125 | 17.3391 | 2048 | 99.97% |\n| 3.14159265 | 1000000 | -42 | 0x7fff |\n| 271828 | 6.02e23 ' +
      '| 1e-9 | 12:34:56 |\n',
    69,
    69,
  ],
  base64: [digests(16, 'base64'), 492, 508],
  'hexadecimal digests': [digests(12, 'hex'), 439, 435],
  capitals: [
    'THE SERVICE KEEPS EVERY DECISION IN A JOURNAL. ERR_CONNECTION_RESET MAX_RETRIES_EXCEEDED ' +
      'ECONNREFUSED LICENSEE WARRANTIES MERCHANTABILITY',
    30,
    29,
  ],
  'mathematical symbols': ['∀x∈ℝ: ∑ᵢ₌₁ⁿ xᵢ² ≥ 0 ⇒ √(x²+y²) ≤ |x|+|y|, ∫₀^∞ e^{−x²}dx = √π⁄2, A∪B ⊆ C∩D, λ→∞', 78, 80],
  'box drawing': ['┌──────┬───────┐\n│ name │ value │\n├──────┼───────┤\n│ a    │ 1     │\n└──────┴───────┘\n', 50, 51],
};

test.each(Object.entries(TEXTS))('%s: at least 95 %% of the tokens of both tokenizers', (_, [text, ...counts]) => {
  const tokens = Math.max(...counts);
  expect(tokensIn(text)).toBeGreaterThanOrEqual(0.95 * tokens);
  expect(tokensIn(text)).toBeLessThanOrEqual(2 * tokens);
});

test('a text has at least one token, and at most one for each byte', () => {
  const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.lorem());
  fc.assert(
    fc.property(texts, (text) => {
      expect(tokensIn(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
      expect(tokensIn(text)).toBeGreaterThanOrEqual(text === '' ? 0 : 1);
    }),
  );
});

test.each(Object.entries(TEXTS))('%s: a longer part of the text never has fewer tokens', (_, [text]) => {
  const tokens = Array.from(text, (_, at) => tokensIn(text.slice(0, at + 1)));
  expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
});
