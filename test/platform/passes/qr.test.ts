import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { qrPng, qrSvg } from '../../../src/platform/passes/qr.ts';

// Published for CommonJS only.
const decode = jsqr as unknown as typeof jsqr.default;
const ID = '0194a1f0-7a00-7000-8000-000000000001';

describe('a QR code', () => {
  it.each([ID, 'A', 'https://example.com/tickets/1?a=b&c=d', 'x'.repeat(500)])(
    'is read as what was written: %s',
    (message) => {
      const { data, width, height } = PNG.sync.read(qrPng(message));
      expect(decode(Uint8ClampedArray.from(data), width, height)?.data).toBe(message);
    },
  );

  it('is small, black and white, and has light all around', () => {
    const file = qrPng(ID);
    expect(file.length).toBeLessThan(1500);
    const { data, width, height } = PNG.sync.read(file);
    expect(width).toBe(height);
    expect(width).toBeGreaterThanOrEqual(300);
    const at = (x: number, y: number) => data[(y * width + x) * 4];
    for (let pixel = 0; pixel < width; pixel += 1)
      for (const edge of [0, 39, width - 1, width - 40])
        expect([at(pixel, edge), at(edge, pixel)]).toEqual([255, 255]);
    expect(at(40, 40)).toBe(0);
    expect(new Set(data.filter((_, index) => index % 4 !== 3))).toEqual(new Set([0, 255]));
  });

  it('is an image of its own for a page', () => {
    expect(qrSvg(ID)).toMatch(/^<svg [^>]*viewBox="0 0 (\d+) \1"/);
  });
});
