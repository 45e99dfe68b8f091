// A site of two pages, with the package and no script of ours beside it.
export default {
  title: "When a leader dies",
  url: "http://127.0.0.1",
  // where the tests serve it
  baseUrl: "/project/target/decks/docusaurus/build/",
  favicon: "data:,",
  trailingSlash: true,
  onBrokenLinks: "ignore",
  i18n: { defaultLocale: "en", locales: ["en"] },
  plugins: [["@docusaurus/plugin-content-docs", { routeBasePath: "/", sidebarPath: undefined, breadcrumbs: false }]],
  themes: ["@docusaurus/theme-classic"],
};
