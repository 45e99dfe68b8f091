impress().init();
document.documentElement.dataset.ready = "true";
