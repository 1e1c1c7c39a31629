// Runs in a page: the contrast of every text with what is behind it, as WCAG reckons it.
/* global document, getComputedStyle, matchMedia, Node */
(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const page = matchMedia('(prefers-color-scheme: dark)').matches ? '#121212' : '#ffffff';
  const texts = [...document.querySelectorAll('h1, h2, h3, p, strong, span, li, th, td, a, summary')].filter(
    (element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()),
  );
  return texts.map((element) => {
    const behind = [];
    for (let around = element; around; around = around.parentElement) {
      behind.unshift(getComputedStyle(around).backgroundColor);
    }
    const back = luminance([page, ...behind]);
    const text = luminance([page, ...behind, getComputedStyle(element).color]);
    return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
  });
})();
